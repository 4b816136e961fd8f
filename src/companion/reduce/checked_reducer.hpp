// A device's reducer that shows what it can before it is believed, with the host behind it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "companion/reduce/reduce.hpp"

namespace gpuhmm {

/// Makes reducers of the same kind.
using ReducerMaker = std::function<std::unique_ptr<StackReducer>()>;

/// A reducer by a device, after one by the device and one by the host have given the same, bit by bit, for
/// the first matrices that are added. If they do not, that is reported once through `warn`, and the host
/// reduces the stack. Later results of the device are not looked at: a stack is read once, so nothing could
/// be done again.
std::unique_ptr<StackReducer> make_checked_reducer(std::size_t item_size, ReducerMaker device,
                                                   ReducerMaker host,
                                                   std::function<void(const std::string&)> warn);

}  // namespace gpuhmm
