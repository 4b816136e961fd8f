// Writes the formats of k-mers.
#include "companion/sorting/kmer_writer.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace gpuhmm {

namespace {

// Adds the low bytes of a number, lowest first.
void append_number(std::uint64_t value, unsigned bytes, std::string& to) {
  for (unsigned i = 0; i < bytes; ++i) to += static_cast<char>((value >> (8 * i)) & 0xff);
}

void append_decimal(std::uint64_t value, std::string& to) {
  char digits[20];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace

void KmerWriter::begin(const KmerKind& kind) {
  uracil_ = kind.uracil;
  const bool keys = kind.k <= KmerCode::longest(kind.alphabet);
  if (options_.format == KmerFormat::Binary && !keys) {
    throw std::invalid_argument("the binary format holds words of up to 32 letters, of protein up to 12");
  }
  if (keys) code_.emplace(kind.alphabet, kind.k, kind.uracil);
  if (options_.format != KmerFormat::Binary) return;
  std::string header = "GPUHMMK1";
  append_number(kind.alphabet == KmerAlphabet::Amino ? 2 : kind.uracil ? 1 : 0, 1, header);
  append_number(kind.k, 1, header);
  append_number(options_.counts ? 1 : 0, 1, header);
  append_number(kind.canonical ? 1 : 0, 1, header);
  append_number(0, 4, header);
  take_(header);
}

void KmerWriter::append_text(std::string_view word, std::uint64_t count, std::string& to) const {
  if (!options_.counts) {
    for (std::uint64_t i = 0; i < count; ++i) to.append(word) += '\n';
    return;
  }
  if (options_.format == KmerFormat::Fasta) {
    to += '>';
    append_decimal(count, to);
    to += '\n';
    to.append(word);
  } else {
    to.append(word) += options_.format == KmerFormat::Tsv ? '\t' : ' ';
    append_decimal(count, to);
  }
  to += '\n';
}

void KmerWriter::append(std::uint64_t key, std::uint64_t count, std::string& to) const {
  if (count < options_.min_count) return;
  if (options_.format == KmerFormat::Histogram) {
    append_number(count, sizeof count, to);
  } else if (options_.format == KmerFormat::Binary) {
    for (std::uint64_t i = 0; i < (options_.counts ? 1 : count); ++i) append_number(key, sizeof key, to);
    if (options_.counts) append_number(count, sizeof count, to);
  } else {
    thread_local std::string word;
    word.clear();
    code_->append_word(key, word);
    append_text(word, count, to);
  }
}

void KmerWriter::append(std::string_view word, std::uint64_t count, std::string& to) const {
  if (count < options_.min_count) return;
  if (options_.format == KmerFormat::Histogram) {
    append_number(count, sizeof count, to);
    return;
  }
  const std::size_t start = to.size();
  append_text(word, count, to);
  if (uracil_) std::replace(to.begin() + static_cast<std::ptrdiff_t>(start), to.end(), 'T', 'U');
}

void KmerWriter::write(std::string_view text) {
  bytes_ += text.size();
  if (options_.format != KmerFormat::Histogram) return take_(text);
  for (; !text.empty(); text.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t count = 0;
    for (unsigned i = 0; i < sizeof count; ++i) {
      count |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    }
    ++histogram_[count];
  }
}

void KmerWriter::end() {
  std::string last;
  if (options_.format == KmerFormat::Binary) {
    append_number(bytes_ / (options_.counts ? 16 : 8), sizeof(std::uint64_t), last);
    last += "GPUHMMKE";
  }
  for (const auto& [count, words] : histogram_) {
    append_decimal(count, last);
    last += ' ';
    append_decimal(words, last);
    last += '\n';
  }
  if (!last.empty()) take_(last);
}

}  // namespace gpuhmm
