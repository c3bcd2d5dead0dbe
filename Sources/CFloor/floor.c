#include "CFloor.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { note_entity = 1, word_entity = 2, first_version = 1 };

static const char schema[] =
    "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISPINNED INTEGER, ZNUMBER INTEGER, "
    "ZREVISION INTEGER, ZCREATEDAT TIMESTAMP, ZMODIFIEDAT TIMESTAMP, ZBODY VARCHAR, ZLANGUAGE VARCHAR, "
    "ZTITLE VARCHAR, ZUUID BLOB );"
    "CREATE TABLE ZWORD ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLEVEL INTEGER, ZNUMBER INTEGER, "
    "ZNOTE INTEGER, ZMEANING VARCHAR, ZTERM VARCHAR );"
    "CREATE INDEX ZWORD_ZNOTE_INDEX ON ZWORD (ZNOTE);"
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);"
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);"
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);"
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 0), (2, 'Word', 0, 0);";

typedef struct {
  sqlite3 *database;
  sqlite3_stmt *insert_note;
  sqlite3_stmt *insert_word;
  sqlite3_stmt *raise_maximum;
} floor_store;

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Runs a statement without rows to its end and makes it ready for the next time.
static int run(sqlite3_stmt *statement) {
  int step = sqlite3_step(statement);
  int reset = sqlite3_reset(statement);
  return step == SQLITE_DONE ? reset : step;
}

static void bind_text(sqlite3_stmt *statement, int index, cfloor_text text) {
  sqlite3_bind_text(statement, index, text.bytes, text.length, SQLITE_STATIC);
}

static int insert_note(floor_store *store, const cfloor_note *note, int64_t key) {
  sqlite3_stmt *statement = store->insert_note;
  sqlite3_bind_int64(statement, 1, key);
  sqlite3_bind_int64(statement, 2, note_entity);
  sqlite3_bind_int64(statement, 3, first_version);
  sqlite3_bind_int64(statement, 4, note->is_pinned);
  sqlite3_bind_int64(statement, 5, note->number);
  sqlite3_bind_int64(statement, 6, note->revision);
  sqlite3_bind_double(statement, 7, note->created_at);
  sqlite3_bind_double(statement, 8, note->modified_at);
  bind_text(statement, 9, note->body);
  bind_text(statement, 10, note->language);
  bind_text(statement, 11, note->title);
  sqlite3_bind_blob(statement, 12, note->uuid, sizeof note->uuid, SQLITE_STATIC);
  return run(statement);
}

static int insert_word(floor_store *store, const cfloor_word *word, int64_t key, int64_t note_key) {
  sqlite3_stmt *statement = store->insert_word;
  sqlite3_bind_int64(statement, 1, key);
  sqlite3_bind_int64(statement, 2, word_entity);
  sqlite3_bind_int64(statement, 3, first_version);
  sqlite3_bind_int64(statement, 4, word->level);
  sqlite3_bind_int64(statement, 5, word->number);
  sqlite3_bind_int64(statement, 6, note_key);
  bind_text(statement, 7, word->meaning);
  bind_text(statement, 8, word->term);
  return run(statement);
}

static int raise_maximum(floor_store *store, int64_t entity, int64_t maximum) {
  sqlite3_bind_int64(store->raise_maximum, 1, maximum);
  sqlite3_bind_int64(store->raise_maximum, 2, entity);
  return run(store->raise_maximum);
}

static int open_store(floor_store *store, const char *path, const char *pragmas) {
  int code = sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
  if (code == SQLITE_OK) code = sqlite3_exec(store->database, pragmas, NULL, NULL, NULL);
  if (code == SQLITE_OK) code = sqlite3_exec(store->database, schema, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "INSERT INTO ZNOTE VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", -1,
                              &store->insert_note, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "INSERT INTO ZWORD VALUES (?,?,?,?,?,?,?,?)", -1, &store->insert_word,
                              NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", -1,
                              &store->raise_maximum, NULL);
  return code;
}

static int import_rows(floor_store *store, const cfloor_rows *rows) {
  size_t note = 0;
  size_t word = 0;
  for (size_t commit = 0; commit < rows->commit_count; commit++) {
    int code = sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    size_t end = note + rows->notes_per_commit[commit];
    for (; code == SQLITE_OK && note < end; note++) {
      int64_t note_key = (int64_t)note + 1;
      code = insert_note(store, &rows->notes[note], note_key);
      for (size_t i = 0; code == SQLITE_OK && i < rows->words_per_note; i++, word++)
        code = insert_word(store, &rows->words[word], (int64_t)word + 1, note_key);
    }
    if (code == SQLITE_OK) code = raise_maximum(store, note_entity, (int64_t)note);
    if (code == SQLITE_OK) code = raise_maximum(store, word_entity, (int64_t)word);
    if (code == SQLITE_OK) code = sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

static int fail(cfloor_result *result, const char *what, int code, sqlite3 *database) {
  snprintf(result->error, sizeof result->error, "%s: %s (%d)", what,
           database ? sqlite3_errmsg(database) : sqlite3_errstr(code), code);
  return code;
}

int cfloor_import(const char *path, const char *pragmas, const cfloor_rows *rows, cfloor_result *result) {
  floor_store store = {0};
  memset(result, 0, sizeof *result);

  size_t committed = 0;
  for (size_t commit = 0; commit < rows->commit_count; commit++) committed += rows->notes_per_commit[commit];
  if (committed != rows->note_count) {
    snprintf(result->error, sizeof result->error, "the commits hold %zu notes, there are %zu", committed,
             rows->note_count);
    return SQLITE_MISUSE;
  }

  int code = open_store(&store, path, pragmas);
  if (code != SQLITE_OK) {
    fail(result, "the store cannot be made", code, store.database);
  } else {
    double start = seconds_of(CLOCK_MONOTONIC);
    double cpu_start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    code = import_rows(&store, rows);
    result->cpu_seconds = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_start;
    result->seconds = seconds_of(CLOCK_MONOTONIC) - start;
    if (code != SQLITE_OK) fail(result, "the import failed", code, store.database);
  }

  sqlite3_finalize(store.insert_note);
  sqlite3_finalize(store.insert_word);
  sqlite3_finalize(store.raise_maximum);
  int closed = sqlite3_close(store.database);
  return code == SQLITE_OK && closed != SQLITE_OK ? fail(result, "the store cannot be closed", closed, NULL) : code;
}
