#include "memoryfiles.h"

#include <stdlib.h>
#include <string.h>

// MARK: The file

static const char *const endings[part_count] = {"", "-wal", "-journal"};

static char *names[part_count];
static disk *current = NULL;
static sqlite3_vfs *real_vfs = NULL;
static cmemoryfiles_work work;

cmemoryfiles_work cmemoryfiles_done(void) { return work; }

/// Fewer bytes than the smallest page are a header.
enum { page_bytes_min = 512 };

static int reserve(part *part, size_t count) {
  if (count <= part->capacity) return SQLITE_OK;
  size_t capacity = part->capacity ? part->capacity : 1 << 16;
  while (capacity < count) capacity *= 2;
  unsigned char *bytes = realloc(part->bytes, capacity);
  if (!bytes) return SQLITE_NOMEM;
  part->bytes = bytes;
  part->capacity = capacity;
  return SQLITE_OK;
}

static int is_locked(const disk *disk) {
  if (disk->reserved || disk->pending || disk->exclusive) return 1;
  for (int i = 0; i < SQLITE_SHM_NLOCK; i++) {
    if (disk->index_locks[i]) return 1;
  }
  return 0;
}

int cmemoryfiles_put(const void *bytes, size_t count) {
  int stays = current && !is_locked(current);
  if (!stays) {
    disk *new = calloc(1, sizeof *new);
    if (!new) return -1;
    current = new;
  }
  part *file = &current->parts[part_file];
  if (reserve(file, count) != SQLITE_OK) return -1;
  memcpy(file->bytes, bytes, count);
  file->count = count;
  file->exists = 1;
  // A connection that has the log open finds it empty.
  current->parts[part_log].count = 0;
  current->parts[part_journal].count = 0;
  current->parts[part_journal].exists = 0;
  // An index of zeros is read anew from the log by the next connection, and no page that was read before counts any more.
  for (int i = 0; i < regions_max && current->regions[i]; i++) memset(current->regions[i], 0, current->region_size);
  return stays;
}

static const void *contents(int part, size_t *count) {
  *count = current ? current->parts[part].count : 0;
  return *count ? current->parts[part].bytes : NULL;
}

const void *cmemoryfiles_contents(size_t *count) { return contents(part_file, count); }

const void *cmemoryfiles_log(size_t *count) { return contents(part_log, count); }

// MARK: Reading and writing

static int memory_close(sqlite3_file *file) {
  memory_forget((memory_file *)file);
  return SQLITE_OK;
}

static int memory_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  const part *part = ((memory_file *)file)->part;
  size_t begin = (size_t)offset, wanted = (size_t)count;
  work.pages_read += count >= page_bytes_min;
  work.bytes_read += count;
  size_t there = begin >= part->count ? 0 : part->count - begin;
  if (there >= wanted) {
    memcpy(bytes, part->bytes + begin, wanted);
    return SQLITE_OK;
  }
  if (there) memcpy(bytes, part->bytes + begin, there);
  memset((char *)bytes + there, 0, wanted - there);
  return SQLITE_IOERR_SHORT_READ;
}

static int memory_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  part *part = ((memory_file *)file)->part;
  size_t begin = (size_t)offset, end = begin + (size_t)count;
  if (memory_change((memory_file *)file, "file.write") != SQLITE_OK) return SQLITE_IOERR_WRITE;
  work.pages_written += count >= page_bytes_min;
  work.bytes_written += count;
  if (reserve(part, end) != SQLITE_OK) return SQLITE_IOERR_NOMEM;
  if (begin > part->count) memset(part->bytes + part->count, 0, begin - part->count);
  memcpy(part->bytes + begin, bytes, (size_t)count);
  if (end > part->count) part->count = end;
  return SQLITE_OK;
}

static int memory_truncate(sqlite3_file *file, sqlite3_int64 size) {
  part *part = ((memory_file *)file)->part;
  if (memory_change((memory_file *)file, "file.truncate") != SQLITE_OK) return SQLITE_IOERR_TRUNCATE;
  if ((size_t)size < part->count) part->count = (size_t)size;
  return SQLITE_OK;
}

static int memory_sync(sqlite3_file *file, int flags) {
  (void)flags;
  if (memory_change((memory_file *)file, "file.sync") != SQLITE_OK) return SQLITE_IOERR_FSYNC;
  work.syncs++;
  return SQLITE_OK;
}

static int memory_size(sqlite3_file *file, sqlite3_int64 *size) {
  *size = (sqlite3_int64)((memory_file *)file)->part->count;
  return SQLITE_OK;
}

// MARK: The layer

static int memory_control(sqlite3_file *file, int operation, void *argument) {
  (void)file, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int memory_sector_size(sqlite3_file *file) {
  (void)file;
  return 4096;
}

static int memory_characteristics(sqlite3_file *file) {
  (void)file;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = memory_close,
  .xRead = memory_read,
  .xWrite = memory_write,
  .xTruncate = memory_truncate,
  .xSync = memory_sync,
  .xFileSize = memory_size,
  .xLock = memory_lock,
  .xUnlock = memory_unlock,
  .xCheckReservedLock = memory_check_lock,
  .xFileControl = memory_control,
  .xSectorSize = memory_sector_size,
  .xDeviceCharacteristics = memory_characteristics,
  .xShmMap = memory_map,
  .xShmLock = memory_index_lock,
  .xShmBarrier = memory_barrier,
  .xShmUnmap = memory_unmap,
};

/// Which part of the file has that name; -1 for a name of the system's.
static int part_named(const char *path) {
  for (int i = 0; path && i < part_count; i++) {
    if (strcmp(path, names[i]) == 0) return i;
  }
  return -1;
}

static int memory_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *result_flags) {
  (void)vfs;
  int named = part_named(path);
  if (named < 0) return real_vfs->xOpen(real_vfs, path, file, flags, result_flags);
  memory_file *own = (memory_file *)file;
  memset(own, 0, sizeof *own);
  if (!current || (!current->parts[named].exists && !(flags & SQLITE_OPEN_CREATE))) return SQLITE_CANTOPEN;
  own->disk = current;
  own->part = &current->parts[named];
  own->part->exists = 1;
  own->base.pMethods = &methods;
  memory_list(own);
  if (result_flags) *result_flags = flags;
  return SQLITE_OK;
}

static int memory_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs;
  int named = part_named(path);
  if (named < 0) return real_vfs->xDelete(real_vfs, path, syncs);
  if (!current || !current->parts[named].exists) return SQLITE_IOERR_DELETE_NOENT;
  current->parts[named].exists = 0;
  current->parts[named].count = 0;
  return SQLITE_OK;
}

static int memory_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)vfs;
  int named = part_named(path);
  if (named < 0) return real_vfs->xAccess(real_vfs, path, flags, result);
  *result = current && current->parts[named].exists;
  return SQLITE_OK;
}

static int memory_full_path(sqlite3_vfs *vfs, const char *path, int size, char *full) {
  (void)vfs;
  if (part_named(path) < 0) return real_vfs->xFullPathname(real_vfs, path, size, full);
  sqlite3_snprintf(size, full, "%s", path);
  return SQLITE_OK;
}

static int memory_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return memory_pause(microseconds) ? microseconds : real_vfs->xSleep(real_vfs, microseconds);
}

int cmemoryfiles_install(const char *path) {
  static sqlite3_vfs layer;
  for (int i = 0; i < part_count; i++) {
    names[i] = malloc(strlen(path) + strlen(endings[i]) + 1);
    if (!names[i]) return SQLITE_NOMEM;
    strcat(strcpy(names[i], path), endings[i]);
  }
  real_vfs = sqlite3_vfs_find(NULL);
  if (!real_vfs) return SQLITE_ERROR;
  layer = *real_vfs;
  layer.zName = "contextbench-memory";
  if (layer.szOsFile < (int)sizeof(memory_file)) layer.szOsFile = (int)sizeof(memory_file);
  layer.xOpen = memory_open;
  layer.xDelete = memory_delete;
  layer.xAccess = memory_access;
  layer.xFullPathname = memory_full_path;
  layer.xSleep = memory_sleep;
  layer.pNext = NULL;
  return sqlite3_vfs_register(&layer, 1);
}
