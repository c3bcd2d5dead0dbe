// The floor: the same rows through sqlite3_* in C, so that a slowdown of the Swift layers cannot hide in it.
#ifndef CONTEXTBENCH_CFLOOR_H
#define CONTEXTBENCH_CFLOOR_H

#include <stddef.h>
#include <stdint.h>

/// UTF-8 text without a terminating zero; borrowed from the caller for the length of a call.
typedef struct {
  const char *bytes;
  int32_t length;
} cfloor_text;

/// The nine attributes of a note.
typedef struct {
  int64_t number;
  int64_t revision;
  int64_t is_pinned;
  /// Seconds since 2001-01-01.
  double created_at;
  /// Seconds since 2001-01-01.
  double modified_at;
  cfloor_text title;
  cfloor_text body;
  cfloor_text language;
  uint8_t uuid[16];
} cfloor_note;

/// The four attributes of a word, one of which is the note that it belongs to.
typedef struct {
  int64_t number;
  int64_t level;
  cfloor_text term;
  cfloor_text meaning;
} cfloor_word;

/// The rows of an import, made beforehand.
typedef struct {
  const cfloor_note *notes;
  size_t note_count;
  /// `note_count * words_per_note` words, those of the first note first.
  const cfloor_word *words;
  size_t words_per_note;
  /// How many notes, each with its words, go into each commit; together `note_count`.
  const size_t *notes_per_commit;
  size_t commit_count;
} cfloor_rows;

/// The times of an import.
typedef struct {
  /// Wall time from before the first BEGIN to after the last COMMIT.
  double seconds;
  /// CPU time of the calling thread over the same stretch.
  double cpu_seconds;
  /// On failure, the step and SQLite's sentence; otherwise empty.
  char error[512];
} cfloor_result;

/// Creates a store at `path`, where no file may be, with the tables and indexes of Apple's layout, and imports the
/// rows with one connection and one prepared statement for each table.
///
/// `pragmas` is SQL that is run before any table is made; `page_size` and `auto_vacuum` have no effect later.
/// Returns 0, or SQLite's result code with `result->error` set. Only the transactions are timed.
int cfloor_import(const char *path, const char *pragmas, const cfloor_rows *rows, cfloor_result *result);

/// The times and the result of a fetch.
typedef struct {
  /// Wall time from before the first step to after the last row was used.
  double seconds;
  /// CPU time of the calling thread over the same stretch.
  double cpu_seconds;
  size_t row_count;
  /// Of every number and of the lengths of all texts.
  int64_t sum;
  /// On failure, the step and SQLite's sentence; otherwise empty.
  char error[512];
} cfloor_fetch_result;

/// Reads the words of the store at `path` by term into structures of their own, texts copied, and uses every attribute;
/// at most `limit` of them unless that is 0.
///
/// Runs the statement twice and times the second run. Returns 0, or SQLite's result code with `result->error` set.
int cfloor_fetch_words(const char *path, const char *pragmas, int64_t limit, cfloor_fetch_result *result);

#endif
