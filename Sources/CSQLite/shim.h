// Parts of SQLite's C interface that Swift cannot call: variadic functions and function-pointer constants.
#ifndef CONTEXTBENCH_CSQLITE_SHIM_H
#define CONTEXTBENCH_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <string.h>

/// `SQLITE_TRANSIENT`: SQLite copies the bytes before the call returns.
static inline int csqlite_bind_text_copying(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

/// `SQLITE_STATIC`: the bytes must stay valid until the statement is stepped and reset or rebound.
static inline int csqlite_bind_text_borrowing(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_STATIC);
}

static inline int csqlite_bind_blob_copying(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
  return sqlite3_bind_blob(statement, index, blob, bytes, SQLITE_TRANSIENT);
}

/// The bytes must stay valid until the row they belong to is done with.
static inline void csqlite_result_text_borrowing(sqlite3_context *context, const char *text, int bytes) {
  sqlite3_result_text(context, text, bytes, SQLITE_STATIC);
}

static inline void csqlite_result_text_copying(sqlite3_context *context, const char *text, int bytes) {
  sqlite3_result_text(context, text, bytes, SQLITE_TRANSIENT);
}

static inline void csqlite_result_blob_borrowing(sqlite3_context *context, const void *blob, int bytes) {
  sqlite3_result_blob(context, blob, bytes, SQLITE_STATIC);
}

static inline void csqlite_result_blob_copying(sqlite3_context *context, const void *blob, int bytes) {
  sqlite3_result_blob(context, blob, bytes, SQLITE_TRANSIENT);
}

/// Whether the next VACUUM empties the database.
static inline int csqlite_set_reset_database(sqlite3 *database, int is_set) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, is_set, (int *)0);
}

/// Limits a database's own schema: no function that could do harm, and no writing into SQLite's own tables.
static inline int csqlite_distrust_schema(sqlite3 *database) {
  int code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// Whether SQL may write into SQLite's own tables, as tests do that damage a file.
static inline int csqlite_set_defensive(sqlite3 *database, int is_set) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, is_set, (int *)0);
}

/// Whether the last connection leaves the write-ahead log as it is.
static inline int csqlite_set_no_checkpoint_on_close(sqlite3 *database, int is_set) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_set, (int *)0);
}

/// Turns SQLite's global memory statistics off; only before the library is first used.
static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// The last commit in the index of a write-ahead log: its header.
typedef struct {
  unsigned char bytes[48];
} csqlite_log_state;

/// The address of the write-ahead log's index in memory; its first bytes are the header. NULL where there is none.
///
/// Only inside of a transaction of a database in WAL mode with normal locking mode: else SQLite would make one. It stays there
/// until the connection is closed.
static inline const void *csqlite_log_index(sqlite3 *database) {
  enum { region_bytes = 32768 };
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || !file || !file->pMethods || file->pMethods->iVersion < 2) return 0;
  void volatile *region = 0;
  code = file->pMethods->xShmMap(file, 0, region_bytes, 0, &region);
  return code == SQLITE_OK ? (const void *)region : 0;
}

static inline csqlite_log_state csqlite_log_state_now(const void *index) {
  csqlite_log_state state;
  memcpy(&state, index, sizeof state);
  return state;
}

/// Whether no connection has committed since the state was taken.
static inline int csqlite_log_is_still(const void *index, const csqlite_log_state *state) {
  return memcmp(index, state, sizeof *state) == 0;
}

#endif
