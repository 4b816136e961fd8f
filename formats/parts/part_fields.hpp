// The members of all that a part holds, in the order in which they are stored: one description for packing
// and unpacking. They are stored as CBOR (RFC 8949): a structure or a list as an array, text, which may be
// bytes of any kind, as a byte string, an absent value as an empty array, a number that is none as a boolean:
// whether it has a sign, which reports show and CBOR does not keep.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpuhmm/parts.hpp"

namespace gpuhmm::parts {

template <class T, class Plain>
concept Is = std::same_as<std::remove_const_t<T>, Plain>;

void fields(auto& a, Is<DomainAlignment> auto& v) { a(v.cs, v.rf, v.model, v.middle, v.sequence); }

void fields(auto& a, Is<DomainHit> auto& v) {
  a(v.score, v.p_value, v.sequence_score, v.sequence_p_value, v.sequence_from, v.sequence_to,
    v.sequence_length, v.profile_from, v.profile_to, v.profile_length, v.number, v.count, v.bias, v.name,
    v.accession, v.description, v.query_name, v.alignment, v.trace_columns, v.target_index);
}

void fields(auto& a, Is<SequenceHit> auto& v) {
  a(v.score, v.p_value, v.domain_count, v.sequence_length, v.name, v.accession, v.description,
    v.target_index);
}

void fields(auto& a, Is<RegisteredHits> auto& v) { a(v.sequences, v.domains); }

void fields(auto& a, Is<Thresholds> auto& v) {
  a(v.sequence_e, v.sequence_t, v.domain_e, v.domain_t, v.cutoff, v.database_size, v.null2, v.xnu, v.forward);
}

void fields(auto& a, Is<ExtremeValue> auto& v) { a(v.mu, v.lambda); }

// Of the annotation only whether it is there.
void fields(auto& a, Is<Profile> auto& v) {
  a(v.name, v.accession, v.description, v.nodes, v.evd, v.rf, v.cs);
}

void fields(auto& a, Is<ScanRecord> auto& v) {
  a(v.name, v.accession, v.description, v.length, v.hits, v.thresholds, v.profiles, v.database_size);
}

void fields(auto& a, Is<SearchRecord> auto& v) {
  a(v.profile, v.thresholds, v.hits, v.histogram, v.searched);
}

void fields(auto& a, Is<hmmer3::AlignmentRows> auto& v) {
  a(v.cs, v.rf, v.model, v.middle, v.sequence, v.posterior);
}

void fields(auto& a, Is<hmmer3::Domain> auto& v) {
  a(v.envelope_from, v.envelope_to, v.alignment_from, v.alignment_to, v.model_from, v.model_to,
    v.envelope_score, v.correction, v.accuracy, v.bits, v.bias, v.log_p, v.reported, v.included, v.rows);
}

void fields(auto& a, Is<hmmer3::Hit> auto& v) {
  a(v.name, v.accession, v.description, v.length, v.arrival, v.score, v.score_before_bias, v.log_p,
    v.expected_domains, v.regions, v.clustered, v.overlaps, v.envelopes, v.domains, v.best, v.reported,
    v.included, v.reported_domains, v.included_domains);
}

void fields(auto& a, Is<hmmer3::Counters> auto& v) {
  a(v.models, v.nodes, v.sequences, v.residues, v.past_msv, v.past_bias, v.past_viterbi, v.past_forward);
}

void fields(auto& a, Is<hmmer3::QueryResult> auto& v) {
  a(v.hits, v.counters, v.targets, v.domain_targets, v.reported);
}

void fields(auto& a, Is<hmmer3::Query> auto& v) { a(v.name, v.accession, v.description, v.length); }
void fields(auto& a, Is<hmmer3::QueryTimes> auto& v) { a(v.user, v.system, v.elapsed); }
void fields(auto& a, Is<Hmmer3Record> auto& v) { a(v.query, v.result, v.times); }

void fields(auto& a, Is<RecordRange> auto& v) { a(v.first, v.end); }
void fields(auto& a, Is<InputIdentity> auto& v) { a(v.name, v.size, v.checksum); }
void fields(auto& a, Is<RunIdentity> auto& v) { a(v.version, v.kind, v.words, v.profiles, v.sequences); }
void fields(auto& a, Is<PartHeader> auto& v) {
  a(v.run, v.mentioned, v.divided, v.number, v.count, v.records);
}

/// Makes the value of a structure.
class Packer {
 public:
  template <class T>
  static nlohmann::json pack(const T& value) {
    if constexpr (std::same_as<T, std::string>) {
      return nlohmann::json::binary({value.begin(), value.end()});
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<int>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::isnan(value) ? nlohmann::json(std::signbit(value)) : nlohmann::json(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (std::same_as<T, ScoreHistogram>) {
      nlohmann::json list = nlohmann::json::array();
      for (const auto& [bin, count] : value.bins()) list.push_back({bin, count});
      return list;
    } else if constexpr (requires { value.has_value(); }) {
      nlohmann::json list = nlohmann::json::array();
      if (value) list.push_back(pack(*value));
      return list;
    } else if constexpr (requires { value.begin(); }) {
      nlohmann::json list = nlohmann::json::array();
      for (const auto& item : value) list.push_back(pack(item));
      return list;
    } else {
      Packer packer;
      fields(packer, value);
      return std::move(packer.list_);
    }
  }

  template <class... T>
  void operator()(const T&... members) {
    (list_.push_back(pack(members)), ...);
  }

 private:
  nlohmann::json list_ = nlohmann::json::array();
};

/// Takes the value of a structure apart. Throws nlohmann::json::exception if it is another one.
class Unpacker {
 public:
  template <class T>
  static void unpack(const nlohmann::json& from, T& value) {
    if constexpr (std::same_as<T, std::string>) {
      const auto& bytes = from.get_binary();
      value.assign(bytes.begin(), bytes.end());
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(from.get<int>());
    } else if constexpr (std::is_floating_point_v<T>) {
      value = from.is_boolean()
                  ? std::copysign(std::numeric_limits<T>::quiet_NaN(), from.get<bool>() ? T{-1} : T{1})
                  : from.get<T>();
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = from.get<T>();
    } else if constexpr (std::same_as<T, ScoreHistogram>) {
      for (const auto& item : from)
        value.add(item.at(0).template get<int>(), item.at(1).template get<std::int64_t>());
    } else if constexpr (requires { value.has_value(); }) {
      if (!from.empty()) unpack(from.at(0), value.emplace());
    } else if constexpr (requires { value.emplace_back(); }) {
      value.reserve(from.size());
      for (const auto& item : from) unpack(item, value.emplace_back());
    } else {
      Unpacker unpacker(from);
      fields(unpacker, value);
    }
  }

  template <class... T>
  void operator()(T&... members) {
    (unpack(from_.at(at_++), members), ...);
  }

 private:
  explicit Unpacker(const nlohmann::json& from) : from_(from) {}

  const nlohmann::json& from_;
  std::size_t at_ = 0;
};

}  // namespace gpuhmm::parts
