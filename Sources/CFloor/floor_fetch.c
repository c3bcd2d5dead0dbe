#include "CFloor.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A word as a program would keep it: the row's numbers, and its texts copied into memory of its own.
typedef struct {
  int64_t key;
  int64_t version;
  int64_t entity;
  int64_t level;
  int64_t number;
  int64_t note;
  char *meaning;
  char *term;
} word;

typedef struct {
  word **words;
  size_t count;
  size_t capacity;
} word_list;

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static char *copy_of(sqlite3_stmt *statement, int column) {
  const void *bytes = sqlite3_column_text(statement, column);
  size_t length = (size_t)sqlite3_column_bytes(statement, column);
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  if (bytes) memcpy(copy, bytes, length);
  copy[length] = 0;
  return copy;
}

static void empty(word_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    free(list->words[i]->meaning);
    free(list->words[i]->term);
    free(list->words[i]);
  }
  free(list->words);
  memset(list, 0, sizeof *list);
}

static int append_row(word_list *list, sqlite3_stmt *statement) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 64;
    word **words = realloc(list->words, capacity * sizeof *words);
    if (!words) return SQLITE_NOMEM;
    list->words = words;
    list->capacity = capacity;
  }
  word *row = malloc(sizeof *row);
  if (!row) return SQLITE_NOMEM;
  row->key = sqlite3_column_int64(statement, 0);
  row->version = sqlite3_column_int64(statement, 1);
  row->entity = sqlite3_column_int64(statement, 2);
  row->level = sqlite3_column_int64(statement, 3);
  row->number = sqlite3_column_int64(statement, 4);
  row->note = sqlite3_column_int64(statement, 5);
  row->meaning = copy_of(statement, 6);
  row->term = copy_of(statement, 7);
  list->words[list->count++] = row;
  return row->meaning && row->term ? SQLITE_OK : SQLITE_NOMEM;
}

static int read_rows(sqlite3_stmt *statement, word_list *list) {
  int step;
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
    int code = append_row(list, statement);
    if (code != SQLITE_OK) return code;
  }
  int reset = sqlite3_reset(statement);
  return step == SQLITE_DONE ? reset : step;
}

// Every attribute is used, so that no read can be left out.
static int64_t sum_of(const word_list *list) {
  int64_t sum = 0;
  for (size_t i = 0; i < list->count; i++) {
    const word *row = list->words[i];
    sum += row->number + row->level + (int64_t)strlen(row->meaning) + (int64_t)strlen(row->term);
  }
  return sum;
}

#define SORTED_WORDS \
  "SELECT t0.Z_PK, t0.Z_OPT, t0.Z_ENT, t0.ZLEVEL, t0.ZNUMBER, t0.ZNOTE, t0.ZMEANING, t0.ZTERM FROM ZWORD t0 " \
  "ORDER BY t0.ZTERM ASC"

int cfloor_fetch_words(const char *path, const char *pragmas, int64_t limit, cfloor_fetch_result *result) {
  // With any limit, also one that cuts nothing, SQLite sorts in a tree, which takes a third longer than its sorter.
  static const char all[] = SORTED_WORDS, page[] = SORTED_WORDS " LIMIT ?";
  memset(result, 0, sizeof *result);
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  word_list list = {0};
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = sqlite3_exec(database, pragmas, NULL, NULL, NULL);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(database, limit > 0 ? page : all, -1, &statement, NULL);
  if (code == SQLITE_OK && limit > 0) code = sqlite3_bind_int64(statement, 1, limit);
  // The first pass fills the connection's page cache, as an earlier fetch has filled that of the stack's.
  if (code == SQLITE_OK) code = read_rows(statement, &list);
  empty(&list);
  if (code == SQLITE_OK) {
    double start = seconds_of(CLOCK_MONOTONIC);
    double cpu_start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    code = read_rows(statement, &list);
    result->sum = sum_of(&list);
    result->cpu_seconds = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_start;
    result->seconds = seconds_of(CLOCK_MONOTONIC) - start;
    result->row_count = list.count;
  }
  if (code != SQLITE_OK) {
    snprintf(result->error, sizeof result->error, "the fetch failed: %s (%d)",
             database ? sqlite3_errmsg(database) : sqlite3_errstr(code), code);
  }
  empty(&list);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return code;
}
