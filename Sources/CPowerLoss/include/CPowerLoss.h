// A layer between SQLite and the system that keeps each file's synced contents: what is left after a power failure.
#ifndef CONTEXTBENCH_CPOWERLOSS_H
#define CONTEXTBENCH_CPOWERLOSS_H

/// Watches every file that SQLite opens from now on; for a process with small files, since each sync copies one.
///
/// Once a process, before its first connection. Returns 0, or a result code of SQLite.
int cpowerloss_install(void);

/// Writes the synced contents of a file to another one: those at its last sync, or, before the first, when it was opened.
///
/// From any thread. Returns 0, ENOENT where there is no such file or it was deleted, or another error number.
int cpowerloss_copy(const char *path, const char *destination);

/// Forgets all files, so that those of the next cell may have the same names. No connection may be open that is still used.
void cpowerloss_forget(void);

#endif
