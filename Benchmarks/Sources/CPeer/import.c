#include "CPeer.h"

#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { note_entity = 1, word_entity = 2, first_version = 1 };

typedef struct {
  sqlite3 *database;
  sqlite3_stmt *insert_note, *insert_word, *raise_maximum, *read_note, *raise_version;
  int64_t note, word;
  // Of the note that words are added to: in the file, or not yet.
  int64_t version;
  int has_new_words;
} import;

static int bind_floor_text(sqlite3_stmt *statement, int index, cfloor_text text) {
  return sqlite3_bind_text(statement, index, text.bytes, text.length, SQLITE_STATIC);
}

static int insert_note(import *import, const cfloor_note *note) {
  sqlite3_stmt *statement = import->insert_note;
  const int64_t numbers[] = {++import->note, note_entity, first_version, note->is_pinned, note->number, note->revision};
  for (int i = 0; i < 6; i++) sqlite3_bind_int64(statement, i + 1, numbers[i]);
  sqlite3_bind_double(statement, 7, note->created_at);
  sqlite3_bind_double(statement, 8, note->modified_at);
  bind_floor_text(statement, 9, note->body);
  bind_floor_text(statement, 10, note->language);
  bind_floor_text(statement, 11, note->title);
  sqlite3_bind_blob(statement, 12, note->uuid, sizeof note->uuid, SQLITE_STATIC);
  import->version = 0;
  return cpeer_run(statement);
}

static int insert_word(import *import, const cfloor_word *word) {
  sqlite3_stmt *statement = import->insert_word;
  const int64_t numbers[] = {++import->word, word_entity, first_version, word->level, word->number, import->note};
  for (int i = 0; i < 6; i++) sqlite3_bind_int64(statement, i + 1, numbers[i]);
  bind_floor_text(statement, 7, word->meaning);
  bind_floor_text(statement, 8, word->term);
  import->has_new_words = 1;
  return cpeer_run(statement);
}

static int raise_maximum(import *import, int64_t entity, int64_t maximum) {
  sqlite3_bind_int64(import->raise_maximum, 1, maximum);
  sqlite3_bind_int64(import->raise_maximum, 2, entity);
  return cpeer_run(import->raise_maximum);
}

// A note that was read again has one version more with each save that gives it words.
static int raise_version(import *import) {
  if (!import->version || !import->has_new_words) return SQLITE_OK;
  sqlite3_bind_int64(import->raise_version, 1, import->version + 1);
  sqlite3_bind_int64(import->raise_version, 2, import->note);
  sqlite3_bind_int64(import->raise_version, 3, import->version);
  int code = cpeer_run(import->raise_version);
  return code == SQLITE_OK && sqlite3_changes(import->database) != 1 ? SQLITE_MISMATCH : code;
}

static int commit(import *import) {
  int code = raise_version(import);
  if (code == SQLITE_OK) code = raise_maximum(import, note_entity, import->note);
  if (code == SQLITE_OK) code = raise_maximum(import, word_entity, import->word);
  return code == SQLITE_OK ? sqlite3_exec(import->database, "COMMIT", NULL, NULL, NULL) : code;
}

// Reads the note that the next words are of, as a context that was reset has to.
static int read_note_again(import *import, cpeer_result *result) {
  sqlite3_stmt *statement = import->read_note;
  sqlite3_bind_int64(statement, 1, import->note);
  if (sqlite3_step(statement) != SQLITE_ROW) return SQLITE_NOTFOUND;
  import->version = sqlite3_column_int64(statement, 0);
  for (int column = 1; column <= 3; column++) {
    char *copy = cpeer_copy_of(statement, column);
    result->sum += (int64_t)strlen(copy);
    free(copy);
  }
  return sqlite3_reset(statement);
}

static int save_if_due(import *import, size_t *unsaved, size_t rows_per_commit, int is_by_object, cpeer_result *result) {
  if (++*unsaved < rows_per_commit) return SQLITE_OK;
  *unsaved = 0;
  int code = commit(import);
  if (code == SQLITE_OK) code = sqlite3_exec(import->database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  import->has_new_words = 0;
  return code == SQLITE_OK && is_by_object ? read_note_again(import, result) : code;
}

int cpeer_import(const char *path, const cfloor_rows *rows, size_t rows_per_commit, int is_by_object, cpeer_result *result) {
  memset(result, 0, sizeof *result);
  import import = {.database = cpeer_open(path)};
  import.insert_note = cpeer_prepare(
      import.database, "INSERT INTO ZNOTE(Z_PK, Z_ENT, Z_OPT, ZISPINNED, ZNUMBER, ZREVISION, ZCREATEDAT, ZMODIFIEDAT, ZBODY, "
                       "ZLANGUAGE, ZTITLE, ZUUID) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  import.insert_word = cpeer_prepare(
      import.database, "INSERT INTO ZWORD(Z_PK, Z_ENT, Z_OPT, ZLEVEL, ZNUMBER, ZNOTE, ZMEANING, ZTERM) VALUES (?,?,?,?,?,?,?,?)");
  import.raise_maximum = cpeer_prepare(import.database, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?");
  import.read_note = cpeer_prepare(
      import.database, "SELECT Z_OPT, ZBODY, ZLANGUAGE, ZTITLE, ZISPINNED, ZNUMBER, ZREVISION, ZCREATEDAT, ZMODIFIEDAT, ZUUID "
                       "FROM ZNOTE WHERE Z_PK = ?");
  import.raise_version = cpeer_prepare(import.database, "UPDATE ZNOTE SET Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?");
  size_t unsaved = 0;
  const cfloor_word *word = rows->words;
  double start = cpeer_now();
  int code = sqlite3_exec(import.database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  for (size_t note = 0; code == SQLITE_OK && note < rows->note_count; note++) {
    code = insert_note(&import, &rows->notes[note]);
    if (code == SQLITE_OK) code = save_if_due(&import, &unsaved, rows_per_commit, is_by_object, result);
    for (size_t i = 0; code == SQLITE_OK && i < rows->words_per_note; i++) {
      code = insert_word(&import, word++);
      if (code == SQLITE_OK) code = save_if_due(&import, &unsaved, rows_per_commit, is_by_object, result);
    }
  }
  if (code == SQLITE_OK) code = commit(&import);
  result->seconds = cpeer_now() - start;
  return cpeer_end(import.database, code, "importing", result);
}
