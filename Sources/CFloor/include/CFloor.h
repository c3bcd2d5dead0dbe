// The floor: the same rows through sqlite3_* in C, so that a slowdown of the Swift layers cannot hide in it.
#ifndef CONTEXTBENCH_CFLOOR_H
#define CONTEXTBENCH_CFLOOR_H

#endif
