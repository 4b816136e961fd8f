// Reading beside working: the next part of an input is read while the one before is worked on.
#pragma once

#include <functional>
#include <future>
#include <utility>

namespace gpuhmm {

/// Calls work(item) for `item` and for each that read() gives after it, in order, until one has item.last.
/// read() runs in a thread of its own while work() goes on in the caller's; work() may keep the item (move
/// from it). Throws what either throws, after the other has ended.
template <class Item, class Read, class Work>
void read_ahead(Item item, const Read& read, const Work& work) {
  for (;;) {
    const bool last = item.last;
    std::future<Item> next;
    if (!last) next = std::async(std::launch::async, std::cref(read));
    work(item);
    if (last) return;
    item = next.get();
  }
}

}  // namespace gpuhmm
