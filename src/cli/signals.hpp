// Signal handlers: a signal that ends the program first removes unfinished output files.
#pragma once

#include <string>

namespace gpuhmm::cli {

/// Installs a handler for every signal whose default action ends the program. The handler removes unfinished
/// files, prints a line unless the signal is one that users send (SIGINT, SIGTERM, SIGHUP, SIGQUIT), and ends
/// the program by that signal. SIGPIPE and SIGXFSZ are ignored, so that writing fails with an error instead.
/// Signals that the program inherited as ignored (nohup, a background job), or that a library handles, are
/// left unchanged.
void handle_signals() noexcept;

/// Removes unfinished files and ends the program by this signal, without a message. Async-signal-safe.
/// Returns only if the signal does not end the program.
void end_by_signal(int signal) noexcept;

/// From now on a signal that ends the program prints this line, too; an empty one: no longer.
void say_at_signals(const std::string& line);

}  // namespace gpuhmm::cli
