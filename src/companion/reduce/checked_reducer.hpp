// Compares a device's reducer with the host's before it is used, and falls back to the host.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "companion/reduce/reduce.hpp"

namespace gpuhmm {

/// Makes a new reducer of one kind with each call.
using ReducerMaker = std::function<std::unique_ptr<StackReducer>()>;

/// A reducer of the device, if reducers of device and host give the same bits for the first matrices that are
/// added. If they do not, `warn` receives one line and the host reduces the stack. Later results of the
/// device are not checked, because a stack is read only once and could not be reduced again.
std::unique_ptr<StackReducer> make_checked_reducer(std::size_t item_size, ReducerMaker device,
                                                   ReducerMaker host,
                                                   std::function<void(const std::string&)> warn);

}  // namespace gpuhmm
