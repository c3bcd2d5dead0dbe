// What the workloads in C share.
#ifndef BENCHMARKS_PEER_H
#define BENCHMARKS_PEER_H

#include "CPeer.h"

sqlite3 *cpeer_open(const char *path);
sqlite3_stmt *cpeer_prepare(sqlite3 *database, const char *sql);
/// Runs a statement without rows to its end and makes it ready for the next time.
int cpeer_run(sqlite3_stmt *statement);
/// A copy of a text, to be freed.
char *cpeer_copy_of(sqlite3_stmt *statement, int column);
/// Closes the database; gives `code` back, and notes its error.
int cpeer_end(sqlite3 *database, int code, const char *what, cpeer_result *result);

#endif
