// A file of SQLite's that is in memory, with its log and the log's index: a simulation makes, writes and drops the same store
// thousands of times, and asks the system for nothing then.
#ifndef CONTEXTBENCH_CMEMORYFILES_H
#define CONTEXTBENCH_CMEMORYFILES_H

#include <stddef.h>

/// Keeps the file that SQLite opens at that path, and its log and journal beside it, in memory from now on; all other files
/// stay where they are. Only connections of this process see the file.
/// Locks belong to connections, as those of the system's files to processes; a simulated process's are freed when it is killed.
///
/// One path a process; once, before its first connection. From then on one thread at a time uses the file, as the tasks of a
/// simulation do. Returns 0, or a result code of SQLite.
int cmemoryfiles_install(const char *path);

/// Puts these contents in the place of the file's, without a log.
///
/// Returns 1 where the connections that are open see them; 0 where one still holds a lock, as those of a simulation in a deadlock
/// do: the file is another one then, and they keep the old one. Or -1 without memory.
int cmemoryfiles_put(const void *bytes, size_t count);

/// The file's bytes, and how many there are; NULL for an empty one. Valid until the next write.
const void *cmemoryfiles_contents(size_t *count);

/// The same of its log.
const void *cmemoryfiles_log(size_t *count);

/// The requests of SQLite to the file, its log and its journal since the process began; a page is a transfer of one whole page.
typedef struct {
  long pages_read, bytes_read;
  long pages_written, bytes_written;
  long syncs;
} cmemoryfiles_work;

cmemoryfiles_work cmemoryfiles_done(void);

/// How a program with simulated processes takes part; each may be NULL.
typedef struct {
  /// The number of the calling process, which is never given again; 0 for none.
  long (*process)(void);
  /// Called before a change that other connections can see: file.write, file.truncate, file.sync, and file.publish between the two
  /// copies of the index's header.
  void (*step)(const char *kind, const char *part);
  /// Lets a moment pass; 0 where the system's sleep is to.
  int (*pause)(int microseconds);
} cmemoryfiles_hooks;

/// From the next call on.
void cmemoryfiles_watch(cmemoryfiles_hooks hooks);

/// Frees the locks of what a process has open, as the system does when it is killed; the connections can do nothing any more. What
/// it wrote stays.
void cmemoryfiles_kill(long process);

#endif
