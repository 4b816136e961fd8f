// Copies residues to places that need not begin with a whole word.
#include "hmmer3/opencl/device_residues.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "hmmer3/opencl/resident_residues.hpp"

namespace gpuhmm::hmmer3 {

void copy_residues(const Queue& queue, std::span<const std::uint8_t> residues, const cl::Buffer& to,
                   std::uint64_t first, StagedPieces& staging, unsigned threads) {
  constexpr std::size_t kWord = sizeof(cl_uint);
  // Whole words, and the bytes in front of them and behind.
  const std::size_t head = std::min<std::size_t>((kWord - first % kWord) % kWord, residues.size());
  const std::size_t words = (residues.size() - head) / kWord, tail = head + words * kWord;
  if (head > 0) queue.write(to, residues.data(), head, first);
  const std::vector<StagedPieces::Piece> pieces =
      StagedPieces::pieces_of(words, static_cast<std::size_t>(first + head) / kWord);
  staging.send(queue, to, pieces, threads, [&](std::size_t p, cl_uint* out) {
    const std::size_t from = head + (pieces[p].first - pieces[0].first) * kWord;
    std::memcpy(out, residues.data() + from, pieces[p].count * kWord);
  });
  if (tail < residues.size()) queue.write(to, residues.data() + tail, residues.size() - tail, first + tail);
  staging.wait(queue);
}

void DeviceResidues::load(const Queue& queue, const SequenceBatch& batch, unsigned threads) {
  if (batch.residue_count() == 0) return;
  buffer_ = cl::Buffer();  // so that the memory of one that is outgrown is free
  if (resident_ != nullptr) {
    if (const auto place = resident_->load(queue, batch, staging_, threads)) {
      buffer_ = place->buffer;
      first_ = place->first;
      return;
    }
  }
  const std::span<const std::uint8_t> residues = batch.all_residues();
  buffer_ = own_.for_batch(queue.device(), residues.size());
  first_ = 0;
  copy_residues(queue, residues, buffer_, first_, staging_, threads);
}

}  // namespace gpuhmm::hmmer3
