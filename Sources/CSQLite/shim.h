// What Swift cannot call of SQLite's C interface: variadic functions and function-pointer constants.
#ifndef CONTEXTBENCH_CSQLITE_SHIM_H
#define CONTEXTBENCH_CSQLITE_SHIM_H

#include <sqlite3.h>

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

/// What a database's own schema may do: no function that could do harm, and no writing into SQLite's own tables.
static inline int csqlite_distrust_schema(sqlite3 *database) {
  int code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// Whether SQL may write into SQLite's own tables, as tests do that damage a file.
static inline int csqlite_set_defensive(sqlite3 *database, int is_set) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, is_set, (int *)0);
}

/// Turns SQLite's global memory statistics off; only before the library is first used.
static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
