#include "memoryfiles.h"

#include <stdlib.h>
#include <string.h>

// MARK: Processes

static cmemoryfiles_hooks hooks;
/// The parts that are open.
static memory_file *all = NULL;

void cmemoryfiles_watch(cmemoryfiles_hooks new) { hooks = new; }

int memory_pause(int microseconds) { return hooks.pause && hooks.pause(microseconds); }

/// Notes who uses an open part; an error where that was killed.
static int use(memory_file *own) {
  if (own->is_dead) return SQLITE_IOERR;
  if (hooks.process) own->process = hooks.process();
  return SQLITE_OK;
}

int memory_change(memory_file *own, const char *kind) {
  if (hooks.step && !own->is_dead) {
    int part = (int)(own->part - own->disk->parts);
    hooks.step(kind, part == part_file ? "file" : part == part_log ? "log" : "journal");
  }
  return use(own);
}

void memory_list(memory_file *own) {
  own->next = all;
  all = own;
  use(own);
}

static void unlock_all(memory_file *own) {
  memory_unlock(&own->base, SQLITE_LOCK_NONE);
  memory_unmap(&own->base, 0);
}

void memory_forget(memory_file *own) {
  for (memory_file **place = &all; *place; place = &(*place)->next) {
    if (*place != own) continue;
    *place = own->next;
    break;
  }
  unlock_all(own);
}

void cmemoryfiles_kill(long process) {
  for (memory_file *own = all; own; own = own->next) {
    if (own->process != process) continue;
    unlock_all(own);
    own->is_dead = 1;
  }
}

// MARK: Locks of the file

int memory_lock(sqlite3_file *file, int level) {
  memory_file *own = (memory_file *)file;
  disk *disk = own->disk;
  if (use(own) != SQLITE_OK) return SQLITE_IOERR_LOCK;
  if (own->level >= level) return SQLITE_OK;
  if (own->level == SQLITE_LOCK_NONE) {
    if (disk->pending || disk->exclusive) return SQLITE_BUSY;
    disk->shared++;
    own->level = SQLITE_LOCK_SHARED;
  }
  if (level == SQLITE_LOCK_SHARED) return SQLITE_OK;
  if (disk->reserved && disk->reserved != own) return SQLITE_BUSY;
  if (level == SQLITE_LOCK_RESERVED) {
    disk->reserved = own;
    own->level = SQLITE_LOCK_RESERVED;
    return SQLITE_OK;
  }
  if (disk->pending && disk->pending != own) return SQLITE_BUSY;
  disk->pending = own;
  own->level = SQLITE_LOCK_PENDING;
  if (disk->shared > 1) return SQLITE_BUSY;
  disk->exclusive = own;
  own->level = SQLITE_LOCK_EXCLUSIVE;
  return SQLITE_OK;
}

int memory_unlock(sqlite3_file *file, int level) {
  memory_file *own = (memory_file *)file;
  disk *disk = own->disk;
  if (own->level <= level) return SQLITE_OK;
  if (disk->reserved == own) disk->reserved = NULL;
  if (disk->pending == own) disk->pending = NULL;
  if (disk->exclusive == own) disk->exclusive = NULL;
  if (level == SQLITE_LOCK_NONE) disk->shared--;
  own->level = level;
  return SQLITE_OK;
}

int memory_check_lock(sqlite3_file *file, int *is_reserved) {
  *is_reserved = ((memory_file *)file)->disk->reserved != NULL;
  return SQLITE_OK;
}

// MARK: The log's index

int memory_map(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  memory_file *own = (memory_file *)file;
  disk *disk = own->disk;
  *memory = NULL;
  if (region >= regions_max || use(own) != SQLITE_OK) return SQLITE_IOERR_NOMEM;
  if (!own->is_mapped) {
    // Who comes first reads the log: no process is left that knows what the index says.
    for (int i = 0; i < regions_max && disk->regions[i] && !disk->mapped; i++) {
      memset(disk->regions[i], 0, disk->region_size);
    }
    own->is_mapped = 1;
    disk->mapped++;
  }
  if (!disk->regions[region] && extends) {
    disk->region_size = size;
    // Those before it too: the first that is missing ends them.
    for (int i = 0; i <= region; i++) {
      if (!disk->regions[i]) disk->regions[i] = calloc(1, (size_t)size);
      if (!disk->regions[i]) return SQLITE_IOERR_NOMEM;
    }
  }
  *memory = disk->regions[region];
  return SQLITE_OK;
}

int memory_index_lock(sqlite3_file *file, int offset, int count, int flags) {
  memory_file *own = (memory_file *)file;
  int *locks = own->disk->index_locks;
  if (use(own) != SQLITE_OK) return SQLITE_IOERR_SHMLOCK;
  if (flags & SQLITE_SHM_SHARED) {
    unsigned bit = 1u << offset;
    if (flags & SQLITE_SHM_UNLOCK) {
      if (own->shared_mask & bit) locks[offset]--;
      own->shared_mask &= ~bit;
      return SQLITE_OK;
    }
    if (own->shared_mask & bit) return SQLITE_OK;
    if (locks[offset] < 0) return SQLITE_BUSY;
    locks[offset]++;
    own->shared_mask |= bit;
    return SQLITE_OK;
  }
  for (int i = offset; i < offset + count && !(flags & SQLITE_SHM_UNLOCK); i++) {
    if (!(own->exclusive_mask & 1u << i) && locks[i]) return SQLITE_BUSY;
  }
  for (int i = offset; i < offset + count; i++) {
    unsigned bit = 1u << i;
    if (flags & SQLITE_SHM_LOCK) {
      locks[i] = -1;
      own->exclusive_mask |= bit;
    } else {
      if (own->exclusive_mask & bit) locks[i] = 0;
      own->exclusive_mask &= ~bit;
    }
  }
  return SQLITE_OK;
}

void memory_barrier(sqlite3_file *file) {
  memory_file *own = (memory_file *)file;
  // A writer has changed one of the two copies of the index's header. Not where the log is empty: made anew from it, the index is as
  // that of a new file, and SQLite 3.40 takes pages that it read then for current (killed in the second of two checkpoints that truncate).
  if (own->exclusive_mask & 1 && own->disk->parts[part_log].count) memory_change(own, "file.publish");
  __sync_synchronize();
}

int memory_unmap(sqlite3_file *file, int deletes) {
  (void)deletes;
  memory_file *own = (memory_file *)file;
  for (int i = 0; i < SQLITE_SHM_NLOCK; i++) {
    if (own->shared_mask & 1u << i) own->disk->index_locks[i]--;
    if (own->exclusive_mask & 1u << i) own->disk->index_locks[i] = 0;
  }
  own->shared_mask = own->exclusive_mask = 0;
  own->disk->mapped -= own->is_mapped;
  own->is_mapped = 0;
  return SQLITE_OK;
}
