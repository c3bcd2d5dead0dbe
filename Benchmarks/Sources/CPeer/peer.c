#include "CPeer.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

void cpeer_begin_counting(void) { CALLGRIND_START_INSTRUMENTATION; }
void cpeer_end_counting(void) { CALLGRIND_STOP_INSTRUMENTATION; }

int64_t cpeer_heap_bytes(void) { return (int64_t)mallinfo2().uordblks; }

static clockid_t measured_clock = CLOCK_MONOTONIC;

void cpeer_measure_processor_time(void) { measured_clock = CLOCK_PROCESS_CPUTIME_ID; }

double cpeer_now(void) {
  struct timespec time;
  clock_gettime(measured_clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

sqlite3 *cpeer_open(const char *path) {
  sqlite3 *database = NULL;
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) sqlite3_exec(database, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
  sqlite3_busy_timeout(database, 5000);
  return database;
}

sqlite3_stmt *cpeer_prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
  return statement;
}

int cpeer_run(sqlite3_stmt *statement) {
  int step = sqlite3_step(statement);
  int reset = sqlite3_reset(statement);
  return step == SQLITE_DONE ? reset : step;
}

int cpeer_end(sqlite3 *database, int code, const char *what, cpeer_result *result) {
  if (code != SQLITE_OK) snprintf(result->error, sizeof result->error, "%s: %s", what, sqlite3_errmsg(database));
  for (sqlite3_stmt *statement; (statement = sqlite3_next_stmt(database, NULL));) sqlite3_finalize(statement);
  sqlite3_close(database);
  return code;
}

// A word as a program would keep it.
typedef struct {
  int64_t key;
  int64_t version;
  int64_t level;
  int64_t number;
  int64_t note;
  char *meaning;
  char *term;
} word;

char *cpeer_copy_of(sqlite3_stmt *statement, int column) {
  const void *bytes = sqlite3_column_text(statement, column);
  size_t length = (size_t)sqlite3_column_bytes(statement, column);
  char *copy = malloc(length + 1);
  if (bytes) memcpy(copy, bytes, length);
  copy[length] = 0;
  return copy;
}

#define WORDS "SELECT Z_PK, Z_OPT, ZLEVEL, ZNUMBER, ZNOTE, ZMEANING, ZTERM FROM ZWORD "
static const char word_by_key[] = WORDS "WHERE Z_PK = ?";

static word *word_of(sqlite3_stmt *statement) {
  word *row = malloc(sizeof *row);
  row->key = sqlite3_column_int64(statement, 0);
  row->version = sqlite3_column_int64(statement, 1);
  row->level = sqlite3_column_int64(statement, 2);
  row->number = sqlite3_column_int64(statement, 3);
  row->note = sqlite3_column_int64(statement, 4);
  row->meaning = cpeer_copy_of(statement, 5);
  row->term = cpeer_copy_of(statement, 6);
  return row;
}

static int read_word(sqlite3_stmt *statement, int64_t key, word **read) {
  sqlite3_bind_int64(statement, 1, key);
  if (sqlite3_step(statement) != SQLITE_ROW) return SQLITE_NOTFOUND;
  *read = word_of(statement);
  return sqlite3_reset(statement);
}

// Appends every row to a list that grows.
static int read_all(sqlite3_stmt *statement, word ***words, size_t *count) {
  size_t capacity = *count;
  int step;
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
    if (*count == capacity) *words = realloc(*words, (capacity = capacity ? 2 * capacity : 64) * sizeof **words);
    (*words)[(*count)++] = word_of(statement);
  }
  int reset = sqlite3_reset(statement);
  return step == SQLITE_DONE ? reset : step;
}

static void release(word **words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!words[i]) continue;
    free(words[i]->meaning);
    free(words[i]->term);
    free(words[i]);
  }
  free(words);
}

int cpeer_read_by_key(const char *path, const int64_t *keys, size_t count, cpeer_result *result) {
  memset(result, 0, sizeof *result);
  sqlite3 *database = cpeer_open(path);
  sqlite3_stmt *statement = cpeer_prepare(database, word_by_key);
  word **words = calloc(count, sizeof *words);
  int code = SQLITE_OK;
  double start = cpeer_now();
  for (size_t i = 0; code == SQLITE_OK && i < count; i++) {
    code = read_word(statement, keys[i], &words[i]);
    if (code == SQLITE_OK) result->sum += words[i]->number;
  }
  result->seconds = cpeer_now() - start;
  release(words, count);
  return cpeer_end(database, code, "reading by key", result);
}

int cpeer_fetch(const char *path, const char *order, int is_first, cpeer_result *result) {
  memset(result, 0, sizeof *result);
  sqlite3 *database = cpeer_open(path);
  char sql[256];
  snprintf(sql, sizeof sql, WORDS "ORDER BY %s", order);
  sqlite3_stmt *statement = cpeer_prepare(database, sql);
  word **words = NULL;
  size_t count = 0;
  int code = SQLITE_OK;
  for (int pass = is_first ? 1 : 0; code == SQLITE_OK && pass < 2; pass++) {
    release(words, count);
    words = NULL;
    count = 0;
    double start = cpeer_now();
    code = read_all(statement, &words, &count);
    for (size_t i = 0; i < count; i++)
      result->sum += words[i]->number + words[i]->level + (int64_t)(strlen(words[i]->term) + strlen(words[i]->meaning));
    result->seconds = cpeer_now() - start;
  }
  release(words, count);
  return cpeer_end(database, code, "the fetch", result);
}

static int update_all(sqlite3 *database, const int64_t *keys, size_t count, size_t per_commit) {
  sqlite3_stmt *statement =
      cpeer_prepare(database, "UPDATE ZWORD SET ZLEVEL = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?");
  int code = SQLITE_OK;
  for (size_t i = 0; code == SQLITE_OK && i < count; i++) {
    if (i % per_commit == 0) code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    sqlite3_bind_int64(statement, 1, 7);
    sqlite3_bind_int64(statement, 2, 2);
    sqlite3_bind_int64(statement, 3, keys[i]);
    sqlite3_bind_int64(statement, 4, 1);
    if (code == SQLITE_OK) code = cpeer_run(statement);
    if (code == SQLITE_OK && sqlite3_changes(database) != 1) code = SQLITE_MISMATCH;
    if (code == SQLITE_OK && ((i + 1) % per_commit == 0 || i + 1 == count))
      code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  }
  return code;
}

int cpeer_update(const char *path, const int64_t *keys, size_t count, size_t per_commit, cpeer_result *result) {
  memset(result, 0, sizeof *result);
  sqlite3 *database = cpeer_open(path);
  double start = cpeer_now();
  int code = update_all(database, keys, count, per_commit);
  result->seconds = cpeer_now() - start;
  return cpeer_end(database, code, "updating", result);
}

int cpeer_update_and_refresh(const char *path, const int64_t *keys, size_t count, cpeer_result *result) {
  memset(result, 0, sizeof *result);
  sqlite3 *writer = cpeer_open(path);
  sqlite3 *reader = cpeer_open(path);
  sqlite3_stmt *statement = cpeer_prepare(reader, word_by_key);
  word **words = calloc(count, sizeof *words);
  double start = cpeer_now();
  int code = update_all(writer, keys, count, count);
  sqlite3_exec(reader, "BEGIN", NULL, NULL, NULL);
  for (size_t i = 0; code == SQLITE_OK && i < count; i++) {
    code = read_word(statement, keys[i], &words[i]);
    if (code == SQLITE_OK) result->sum += words[i]->level;
  }
  sqlite3_exec(reader, "COMMIT", NULL, NULL, NULL);
  result->seconds = cpeer_now() - start;
  release(words, count);
  cpeer_end(reader, SQLITE_OK, "", result);
  return cpeer_end(writer, code, "updating and reading again", result);
}

int cpeer_delete(const char *path, const int64_t *notes, size_t count, cpeer_result *result) {
  memset(result, 0, sizeof *result);
  sqlite3 *database = cpeer_open(path);
  sqlite3_stmt *words = cpeer_prepare(database, "DELETE FROM ZWORD WHERE ZNOTE = ?");
  sqlite3_stmt *note = cpeer_prepare(database, "DELETE FROM ZNOTE WHERE Z_PK = ?");
  double start = cpeer_now();
  int code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  for (size_t i = 0; code == SQLITE_OK && i < count; i++) {
    sqlite3_bind_int64(words, 1, notes[i]);
    code = cpeer_run(words);
    sqlite3_bind_int64(note, 1, notes[i]);
    if (code == SQLITE_OK) code = cpeer_run(note);
  }
  if (code == SQLITE_OK) code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  result->seconds = cpeer_now() - start;
  return cpeer_end(database, code, "deleting", result);
}

// Deletes a row over the version it has.
static int delete_row(sqlite3 *database, sqlite3_stmt *statement, int64_t key, int64_t version) {
  sqlite3_bind_int64(statement, 1, key);
  sqlite3_bind_int64(statement, 2, version);
  int code = cpeer_run(statement);
  return code == SQLITE_OK && sqlite3_changes(database) != 1 ? SQLITE_MISMATCH : code;
}

int cpeer_delete_by_object(const char *path, const char *order, cpeer_result *result) {
  memset(result, 0, sizeof *result);
  sqlite3 *database = cpeer_open(path);
  char sql[256];
  snprintf(sql, sizeof sql, "SELECT Z_PK, Z_OPT, ZISPINNED, ZNUMBER, ZREVISION, ZCREATEDAT, ZMODIFIEDAT, ZBODY, ZLANGUAGE, "
                            "ZTITLE, ZUUID FROM ZNOTE ORDER BY %s", order);
  sqlite3_stmt *notes = cpeer_prepare(database, sql);
  sqlite3_stmt *words_of_note = cpeer_prepare(database, WORDS "WHERE ZNOTE = ?");
  sqlite3_stmt *delete_word = cpeer_prepare(database, "DELETE FROM ZWORD WHERE Z_PK = ? AND Z_OPT = ?");
  sqlite3_stmt *delete_note = cpeer_prepare(database, "DELETE FROM ZNOTE WHERE Z_PK = ? AND Z_OPT = ?");
  word **words = NULL;
  size_t count = 0, first = 0;
  double start = cpeer_now();
  int code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  int step = SQLITE_DONE;
  while (code == SQLITE_OK && (step = sqlite3_step(notes)) == SQLITE_ROW) {
    char *texts[] = {cpeer_copy_of(notes, 7), cpeer_copy_of(notes, 8), cpeer_copy_of(notes, 9)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
      result->sum += (int64_t)strlen(texts[i]);
      free(texts[i]);
    }
    sqlite3_bind_int64(words_of_note, 1, sqlite3_column_int64(notes, 0));
    first = count;
    code = read_all(words_of_note, &words, &count);
    for (size_t i = first; code == SQLITE_OK && i < count; i++)
      code = delete_row(database, delete_word, words[i]->key, words[i]->version);
    if (code == SQLITE_OK)
      code = delete_row(database, delete_note, sqlite3_column_int64(notes, 0), sqlite3_column_int64(notes, 1));
  }
  if (code == SQLITE_OK && step != SQLITE_DONE) code = step;
  sqlite3_reset(notes);
  if (code == SQLITE_OK) code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  result->seconds = cpeer_now() - start;
  release(words, count);
  return cpeer_end(database, code, "deleting object by object", result);
}

typedef struct {
  int64_t key;
  const word *object;
} entry;

static size_t place(const entry *table, size_t mask, int64_t key) {
  size_t position = (size_t)(((uint64_t)key * 0x9E3779B97F4A7C15u) >> 20) & mask;
  while (table[position].object && table[position].key != key) position = (position + 1) & mask;
  return position;
}

int cpeer_look_up(const int64_t *keys, size_t count, cpeer_result *result) {
  memset(result, 0, sizeof *result);
  size_t capacity = 16;
  while (capacity < 2 * count) capacity *= 2;
  entry *table = calloc(capacity, sizeof *table);
  word **words = calloc(count, sizeof *words);
  for (size_t i = 0; i < count; i++) {
    words[i] = calloc(1, sizeof **words);
    words[i]->number = (int64_t)i + 1;
    table[place(table, capacity - 1, (int64_t)i + 1)] = (entry){(int64_t)i + 1, words[i]};
  }
  double start = cpeer_now();
  for (size_t i = 0; i < count; i++) result->sum += table[place(table, capacity - 1, keys[i])].object->number;
  result->seconds = cpeer_now() - start;
  release(words, count);
  free(table);
  return 0;
}

struct cpeer_reader {
  pthread_t thread;
  sqlite3 *database;
  _Atomic int is_stopped;
  int64_t passes;
};

static void *read_repeatedly(void *argument) {
  cpeer_reader *reader = argument;
  sqlite3_stmt *statement = cpeer_prepare(
      reader->database, "SELECT Z_PK, Z_OPT, ZLEVEL, ZNUMBER, ZNOTE, ZMEANING, ZTERM FROM ZWORD ORDER BY ZNUMBER LIMIT 100");
  while (!atomic_load(&reader->is_stopped)) {
    while (sqlite3_step(statement) == SQLITE_ROW) {
      free(cpeer_copy_of(statement, 5));
      free(cpeer_copy_of(statement, 6));
    }
    sqlite3_reset(statement);
    reader->passes++;
  }
  return NULL;
}

cpeer_reader *cpeer_start_reader(const char *path) {
  cpeer_reader *reader = calloc(1, sizeof *reader);
  reader->database = cpeer_open(path);
  pthread_create(&reader->thread, NULL, read_repeatedly, reader);
  return reader;
}

int64_t cpeer_stop_reader(cpeer_reader *reader) {
  atomic_store(&reader->is_stopped, 1);
  pthread_join(reader->thread, NULL);
  int64_t passes = reader->passes;
  cpeer_result ignored;
  cpeer_end(reader->database, SQLITE_OK, "", &ignored);
  free(reader);
  return passes;
}
