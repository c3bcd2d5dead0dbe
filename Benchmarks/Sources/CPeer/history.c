#include "CPeer.h"

#include <stdlib.h>
#include <string.h>

// A table that is not in the file: the numbers from 1 to the one that the module was made with.
typedef struct {
  sqlite3_vtab base;
  int64_t count;
} numbers;

typedef struct {
  sqlite3_vtab_cursor base;
  int64_t number;
} place;

static int attach(sqlite3 *database, void *count, int argc, const char *const *argv, sqlite3_vtab **table,
                  char **error) {
  numbers *made = calloc(1, sizeof *made);
  if (!made) return SQLITE_NOMEM;
  made->count = *(int64_t *)count;
  *table = &made->base;
  return sqlite3_declare_vtab(database, "CREATE TABLE numbers(number)");
}

static int detach(sqlite3_vtab *table) {
  free(table);
  return SQLITE_OK;
}

static int plan(sqlite3_vtab *table, sqlite3_index_info *info) { return SQLITE_OK; }

static int open_place(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  place *made = calloc(1, sizeof *made);
  if (!made) return SQLITE_NOMEM;
  *cursor = &made->base;
  return SQLITE_OK;
}

static int close_place(sqlite3_vtab_cursor *cursor) {
  free(cursor);
  return SQLITE_OK;
}

static int begin(sqlite3_vtab_cursor *cursor, int plan, const char *name, int argc, sqlite3_value **argv) {
  ((place *)cursor)->number = 1;
  return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor) {
  ((place *)cursor)->number++;
  return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *cursor) {
  return ((place *)cursor)->number > ((numbers *)cursor->pVtab)->count;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index) {
  sqlite3_result_int64(context, ((place *)cursor)->number);
  return SQLITE_OK;
}

static int row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number) {
  *number = ((place *)cursor)->number;
  return SQLITE_OK;
}

static const sqlite3_module module = {.xConnect = attach,
                                      .xDisconnect = detach,
                                      .xBestIndex = plan,
                                      .xOpen = open_place,
                                      .xClose = close_place,
                                      .xFilter = begin,
                                      .xNext = next,
                                      .xEof = is_at_end,
                                      .xColumn = column,
                                      .xRowid = row};

#define INSERT "INSERT INTO ACHANGE(ZENTITYPK, ZTRANSACTIONID, Z_ENT, ZCHANGETYPE, ZENTITY, ZCOLUMNS) "

int cpeer_history(const char *path, int64_t count, int is_one_statement) {
  static const char columns[] = {0x10};
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = sqlite3_create_module(database, "numbers", &module, &count);
  if (code == SQLITE_OK) {
    const char *sql = is_one_statement ? INSERT "SELECT number, 1, 16001, ?2, ?3, ?4 FROM numbers"
                                       : INSERT "VALUES (?1, 1, 16001, ?2, ?3, ?4)";
    code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
  }
  cpeer_begin_counting();
  if (code == SQLITE_OK) code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  for (int64_t i = 1; code == SQLITE_OK && i <= (is_one_statement ? 1 : count); i++) {
    if (!is_one_statement) sqlite3_bind_int64(statement, 1, i);
    sqlite3_bind_int64(statement, 2, 1);
    sqlite3_bind_int64(statement, 3, 2);
    sqlite3_bind_blob(statement, 4, columns, sizeof columns, SQLITE_STATIC);
    int step = sqlite3_step(statement);
    int reset = sqlite3_reset(statement);
    code = step == SQLITE_DONE ? reset : step;
  }
  if (code == SQLITE_OK) code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  cpeer_end_counting();
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return code;
}
