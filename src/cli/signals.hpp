// What signals do to the program.
#pragma once

namespace gpuhmm::cli {

/// Has every signal whose default action ends the program remove unfinished files first, and say a line
/// unless a user or a closed pipe sent it; the program then ends by that signal. SIGPIPE and SIGXFSZ are
/// ignored, so that writing fails with an error instead. Signals that the program was started to ignore
/// (nohup, a background job), or that a library has taken, stay as they are.
void handle_signals() noexcept;

/// Removes unfinished files and ends the program as this signal would have, without a line.
/// Async-signal-safe. Comes back only if something keeps the signal from ending the program.
void end_by_signal(int signal) noexcept;

}  // namespace gpuhmm::cli
