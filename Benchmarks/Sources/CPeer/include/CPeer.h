// The workloads in C that the harness's floor has not: one connection, one prepared statement for each thing done.
#ifndef BENCHMARKS_CPEER_H
#define BENCHMARKS_CPEER_H

#include <CFloor.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/// The time of a workload.
typedef struct {
  double seconds;
  /// Of what was read, so that no read can be left out.
  int64_t sum;
  /// On failure, what failed and SQLite's sentence; otherwise empty.
  char error[256];
} cpeer_result;

/// The seconds that everything here is measured by: of the world's clock, or the process's own once that is asked for.
double cpeer_now(void);
void cpeer_measure_processor_time(void);

/// Imports rows into a store without any, so many in each transaction, which may end amid the words of a note; by object, the note
/// is read again after each, and has one version more with its next words.
int cpeer_import(
    const char *path, const cfloor_rows *rows, size_t rows_per_commit, int is_by_object, cpeer_result *result);

/// Reads words by key, each in a transaction of its own.
int cpeer_read_by_key(const char *path, const int64_t *keys, size_t count, cpeer_result *result);

/// Sets the level of words, each over the version it has, so many in each transaction.
int cpeer_update(const char *path, const int64_t *keys, size_t count, size_t per_commit, cpeer_result *result);

/// Deletes notes, each after its words, in one transaction.
int cpeer_delete(const char *path, const int64_t *notes, size_t count, cpeer_result *result);

/// Reads the notes by one of their columns, and of each its words, and deletes them one by one, each over the version it has, in
/// one transaction.
int cpeer_delete_by_object(const char *path, const char *order, cpeer_result *result);

/// Reads all words by a column into structures of their own, texts copied, through a connection that has read nothing yet, or
/// has read the same before.
int cpeer_fetch(const char *path, const char *order, int is_first, cpeer_result *result);

/// Sets the level of words in one transaction, and reads them again through another connection.
int cpeer_update_and_refresh(const char *path, const int64_t *keys, size_t count, cpeer_result *result);

/// Looks words up by key in a hash table, and reads a number of each; `keys` are those of the table, in another order.
int cpeer_look_up(const int64_t *keys, size_t count, cpeer_result *result);

/// Reads the first hundred words by number, again and again, on a thread of its own, until it is stopped.
typedef struct cpeer_reader cpeer_reader;
cpeer_reader *cpeer_start_reader(const char *path);
/// How often it read.
int64_t cpeer_stop_reader(cpeer_reader *reader);

/// Writes so many updates into the history of a store that has one, in one transaction: by one statement, or one for each.
/// The instructions of that are counted.
int cpeer_history(const char *path, int64_t count, int is_one_statement);

/// Where the counting of instructions begins and ends, under valgrind; nothing otherwise.
void cpeer_begin_counting(void);
void cpeer_end_counting(void);

/// Bytes that malloc has handed out and not got back.
int64_t cpeer_heap_bytes(void);

static inline int cpeer_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

static inline int cpeer_bind_blob(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
  return sqlite3_bind_blob(statement, index, blob, bytes, SQLITE_TRANSIENT);
}

#endif
