#include "CPowerLoss.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: Synced contents

/// The synced contents of one file.
typedef struct synced {
  struct synced *next;
  char *path;
  unsigned char *bytes;
  sqlite3_int64 size;
} synced;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static synced *files = NULL;

static synced *find(const char *path) {
  for (synced *file = files; file; file = file->next) {
    if (strcmp(file->path, path) == 0) return file;
  }
  return NULL;
}

static void forget(const char *path) {
  for (synced **place = &files; *place; place = &(*place)->next) {
    synced *file = *place;
    if (strcmp(file->path, path) != 0) continue;
    *place = file->next;
    free(file->path);
    free(file->bytes);
    free(file);
    return;
  }
}

void cpowerloss_forget(void) {
  pthread_mutex_lock(&lock);
  while (files) forget(files->path);
  pthread_mutex_unlock(&lock);
}

/// Takes over the contents of a file now.
static int take(const char *path, sqlite3_file *real, int is_opened) {
  sqlite3_int64 size = 0;
  int code = real->pMethods->xFileSize(real, &size);
  if (code != SQLITE_OK) return code;
  unsigned char *bytes = malloc(size > 0 ? (size_t)size : 1);
  if (!bytes) return SQLITE_NOMEM;
  if (size > 0) code = real->pMethods->xRead(real, bytes, (int)size, 0);
  if (code != SQLITE_OK) {
    free(bytes);
    return code;
  }
  pthread_mutex_lock(&lock);
  synced *file = find(path);
  if (file && is_opened) {
    // Another connection has it open: its writes need not be synced.
    pthread_mutex_unlock(&lock);
    free(bytes);
    return SQLITE_OK;
  }
  if (!file) {
    file = calloc(1, sizeof *file);
    char *name = strdup(path);
    if (!file || !name) {
      pthread_mutex_unlock(&lock);
      free(file);
      free(name);
      free(bytes);
      return SQLITE_NOMEM;
    }
    file->path = name;
    file->next = files;
    files = file;
  }
  free(file->bytes);
  file->bytes = bytes;
  file->size = size;
  pthread_mutex_unlock(&lock);
  return SQLITE_OK;
}

int cpowerloss_copy(const char *path, const char *destination) {
  int code = 0;
  pthread_mutex_lock(&lock);
  synced *file = find(path);
  if (file) {
    FILE *copy = fopen(destination, "wb");
    if (!copy) {
      code = errno;
    } else {
      if (fwrite(file->bytes, 1, (size_t)file->size, copy) != (size_t)file->size) code = EIO;
      if (fclose(copy) != 0 && code == 0) code = errno;
    }
  } else {
    code = ENOENT;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

// MARK: The layer

/// An open file: SQLite's own lies directly behind it.
typedef struct {
  sqlite3_file base;
  const char *path;
} layered_file;

static sqlite3_vfs *real_vfs = NULL;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((layered_file *)file + 1); }

static int layered_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int layered_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int layered_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int layered_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int layered_sync(sqlite3_file *file, int flags) {
  int code = real(file)->pMethods->xSync(real(file), flags);
  const char *path = ((layered_file *)file)->path;
  return code == SQLITE_OK && path ? take(path, real(file), 0) : code;
}

static int layered_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int layered_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int layered_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int layered_check_lock(sqlite3_file *file, int *is_reserved) {
  return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}

static int layered_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int layered_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int layered_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int layered_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}

static int layered_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void layered_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int layered_unmap(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static int layered_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **bytes) {
  *bytes = NULL;
  if (real(file)->pMethods->iVersion < 3) return SQLITE_OK;
  return real(file)->pMethods->xFetch(real(file), offset, count, bytes);
}

static int layered_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
  return real(file)->pMethods->xUnfetch(real(file), offset, bytes);
}

static const sqlite3_io_methods methods = {
  3, layered_close, layered_read, layered_write, layered_truncate, layered_sync, layered_file_size, layered_lock,
  layered_unlock, layered_check_lock, layered_control, layered_sector_size, layered_characteristics, layered_map,
  layered_shm_lock, layered_barrier, layered_unmap, layered_fetch, layered_unfetch,
};

static int layered_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *result_flags) {
  (void)vfs;
  layered_file *layered = (layered_file *)file;
  layered->base.pMethods = NULL;
  int is_kept = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL);
  // SQLite keeps the name as long as the file is open.
  layered->path = is_kept ? path : NULL;
  int code = real_vfs->xOpen(real_vfs, path, real(file), flags, result_flags);
  if (code != SQLITE_OK) {
    if (real(file)->pMethods) real(file)->pMethods->xClose(real(file));
    return code;
  }
  layered->base.pMethods = &methods;
  return layered->path ? take(layered->path, real(file), 1) : SQLITE_OK;
}

static int layered_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs;
  int code = real_vfs->xDelete(real_vfs, path, syncs);
  if (code == SQLITE_OK) {
    pthread_mutex_lock(&lock);
    forget(path);
    pthread_mutex_unlock(&lock);
  }
  return code;
}

int cpowerloss_install(void) {
  static sqlite3_vfs layer;
  if (real_vfs) return SQLITE_OK;
  real_vfs = sqlite3_vfs_find(NULL);
  if (!real_vfs || real_vfs->iVersion < 2) {
    real_vfs = NULL;
    return SQLITE_ERROR;
  }
  // All but opening and deleting is the system's own, which finds its state in its own data.
  layer = *real_vfs;
  layer.zName = "contextbench-power-loss";
  layer.szOsFile = (int)sizeof(layered_file) + real_vfs->szOsFile;
  layer.xOpen = layered_open;
  layer.xDelete = layered_delete;
  layer.pNext = NULL;
  return sqlite3_vfs_register(&layer, 1);
}
