// Spreads the iterations of a loop over threads.
#pragma once

#include <cstddef>

namespace gpuhmm {

/// The body of a loop, whatever its type.
struct LoopBody {
  const void* body;
  void (*call)(const void* body, std::size_t first, std::size_t last);
};

/// As parallel_for. One copy of the code that starts threads serves all loops, which keeps the program small
/// and so quick to start.
void run_loop(unsigned threads, std::size_t count, std::size_t block, const LoopBody& body);

/// Calls body(first, last) for consecutive blocks of [0, count) of at most `block` iterations. `threads`
/// threads, one of them the caller, take the blocks in order. The first exception thrown ends the loop and is
/// rethrown.
template <class Body>
void parallel_for(unsigned threads, std::size_t count, std::size_t block, const Body& body) {
  run_loop(threads, count, block, {&body, [](const void* own, std::size_t first, std::size_t last) {
                                     (*static_cast<const Body*>(own))(first, last);
                                   }});
}

}  // namespace gpuhmm
