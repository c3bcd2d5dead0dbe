// Signals of a cell's process: code that runs in signal handlers, and calls that Swift cannot make.
#ifndef CONTEXTBENCH_CPROCESS_H
#define CONTEXTBENCH_CPROCESS_H

#include <spawn.h>
#include <stddef.h>

/// Makes the kernel end this process by SIGKILL when its parent dies; ends it now when `parent` is dead already.
///
/// Returns 0, or the `errno` of prctl(2).
int cprocess_die_with_parent(int parent);

/// Installs the handler of `CPROCESS_DUMP_SIGNAL`: it writes name, kernel wait and stack of every thread to the file at
/// `path` and ends the process by SIGKILL.
///
/// Returns 0, or an `errno`.
int cprocess_install_stack_dump(const char *path);

/// Keeps the process, from here on, on one of the processors that it may use: the one of that number, counted round.
void cprocess_stay_on_processor(int number);

/// Has programs that this process starts from now on lie where they always lie, where the system allows it: some containers do
/// not.
void cprocess_keep_addresses(void);

/// The signal that asks for the dump: SIGUSR2.
int cprocess_dump_signal(void);

/// Makes `signal` write one byte with its number to `descriptor`, once; the next one has its default effect. The calling thread
/// takes it from then on.
///
/// Returns 0, or an `errno`.
int cprocess_forward_signal_once(int signal, int descriptor);

/// A descriptor that becomes readable when a child ends; a negative `errno` of pidfd_open(2) on failure.
int cprocess_open(int process);

/// Has a child begin without the descriptors from `first` on. Returns 0, or an `errno`.
int cprocess_add_close_from(posix_spawn_file_actions_t *actions, int first);

/// Begins, or ends, the counting of instructions under callgrind; does nothing in a process that runs by itself.
void cprocess_count_instructions(int begins);

/// How often this process has called fsync(2) and fdatasync(2), by whatever library.
long cprocess_syncs(void);

/// Takes `steps` times two instructions or so, and does nothing.
void cprocess_work(long steps);

/// Makes a failed write to standard output an error, however the process ends by exit(3): with that status and the reason on
/// standard error; with 141 and no message where the reader has closed its pipe, as a signal would have it. Standard streams
/// that are closed are opened, so that no file gets their numbers, and a write to a file that may not grow any more is refused
/// in place of ending the process. Once, before anything is opened.
void cprocess_watch_output(int status);

/// Lets a process continue when its reader has closed the pipe; its children begin without that.
void cprocess_outlive_pipe(void);

/// The Swift runtime's demangler: a string to be freed, or NULL when `name` is not a mangled name.
char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, unsigned flags);

#endif
