// The component for MPI: passes messages by the C interface of MPI.
// Only the C interface: MPI's C++ interface would need another library.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "cli/mpi/messenger.hpp"

namespace gpuhmm::cli {

namespace {

constexpr int kSizeTag = 1, kBytesTag = 2;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // MPI counts in int

class MpiMessenger final : public Messenger {
 public:
  MpiMessenger() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm local{};
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &local_rank_);
    MPI_Comm_size(local, &local_size_);
    MPI_Comm_free(&local);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  void send(int to, std::string_view bytes) override {
    const std::uint64_t size = bytes.size();
    MPI_Send(&size, 1, MPI_UINT64_T, to, kSizeTag, MPI_COMM_WORLD);
    for (std::size_t at = 0; at < bytes.size(); at += kMostAtOnce) {
      const std::size_t count = std::min(kMostAtOnce, bytes.size() - at);
      MPI_Send(bytes.data() + at, static_cast<int>(count), MPI_BYTE, to, kBytesTag, MPI_COMM_WORLD);
    }
  }

  // Asks now and then: MPI itself waits by asking without a pause, which takes a processor.
  std::optional<Message> receive(std::chrono::milliseconds wait) override {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds kPause(500);
    const Clock::time_point end = Clock::now() + wait;
    for (;;) {
      int there = 0;
      MPI_Status status{};
      MPI_Iprobe(MPI_ANY_SOURCE, kSizeTag, MPI_COMM_WORLD, &there, &status);
      if (there != 0) return take(status.MPI_SOURCE);
      if (Clock::now() >= end) return std::nullopt;
      std::this_thread::sleep_for(kPause);
    }
  }

  void finish() override {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
  }

  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
  }

 private:
  static Message take(int from) {
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, kSizeTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    Message message{from, std::string(size, '\0')};
    for (std::size_t at = 0; at < size; at += kMostAtOnce) {
      const std::size_t count = std::min(kMostAtOnce, message.bytes.size() - at);
      MPI_Recv(message.bytes.data() + at, static_cast<int>(count), MPI_BYTE, from, kBytesTag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    return message;
  }

  int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
};

}  // namespace

}  // namespace gpuhmm::cli

extern "C" int gpuhmm_messenger_version() { return gpuhmm::cli::kMessengerVersion; }
extern "C" gpuhmm::cli::Messenger* gpuhmm_make_messenger() { return new gpuhmm::cli::MpiMessenger; }
