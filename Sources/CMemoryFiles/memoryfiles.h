// Shared by the parts of the layer.
#ifndef CONTEXTBENCH_MEMORYFILES_H
#define CONTEXTBENCH_MEMORYFILES_H

#include "CMemoryFiles.h"

#include <sqlite3.h>

enum { part_file, part_log, part_journal, part_count };

/// The file under one name.
typedef struct {
  unsigned char *bytes;
  size_t count;
  size_t capacity;
  int exists;
} part;

enum { regions_max = 64 };

/// A file with its log and the log's index.
typedef struct {
  part parts[part_count];
  /// The connections that have a shared lock of the file, or more.
  int shared;
  /// The one that is about to write, or waits for readers, or writes.
  const void *reserved, *pending, *exclusive;
  /// The log's index, which connections map.
  void *regions[regions_max];
  int region_size;
  /// Its locks: so many have it together, or -1.
  int index_locks[SQLITE_SHM_NLOCK];
  /// The connections that map it.
  int mapped;
} disk;

/// An open part, as one connection has it.
typedef struct memory_file {
  sqlite3_file base;
  disk *disk;
  part *part;
  int level;
  /// Locks of the index, a bit each.
  unsigned shared_mask, exclusive_mask;
  int is_mapped;
  /// The process that used it last, and whether that was killed since.
  long process;
  int is_dead;
  struct memory_file *next;
} memory_file;

/// Adds an open part to those that a process has, or takes it out with its locks.
void memory_list(memory_file *own);
void memory_forget(memory_file *own);

/// Lets others go first before a change of what they see; an error where the calling process was killed.
int memory_change(memory_file *own, const char *kind);

/// Lets a moment pass as the program wants it; 0 where it does not.
int memory_pause(int microseconds);

int memory_lock(sqlite3_file *file, int level);
int memory_unlock(sqlite3_file *file, int level);
int memory_check_lock(sqlite3_file *file, int *is_reserved);
int memory_map(sqlite3_file *file, int region, int size, int extends, void volatile **memory);
int memory_index_lock(sqlite3_file *file, int offset, int count, int flags);
void memory_barrier(sqlite3_file *file);
int memory_unmap(sqlite3_file *file, int deletes);

#endif
