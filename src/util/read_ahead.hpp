// Reads the next part of an input while the current one is processed.
#pragma once

#include <functional>
#include <future>
#include <utility>

namespace gpuhmm {

/// Calls work(item) for `item` and for each that read() returns after it, in order, until one has item.last.
/// read() runs in a separate thread while work() runs in the caller's; work() may move from the item. Throws
/// what either throws, after the other has ended.
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
