// The files of the folder Scenarios, and Examples/Arrangements, as they were when this was compiled.
#ifndef CONTEXTBENCH_CSCENARIOS_H
#define CONTEXTBENCH_CSCENARIOS_H

#include <stddef.h>

struct cscenarios_file {
  /// Below the folder.
  const char *path;
  const char *text;
};

/// How many there are.
size_t cscenarios_count(void);

/// One of them, from 0.
struct cscenarios_file cscenarios_file(size_t index);

/// The arrangements of contexts that an app can copy: Swift source.
const char *cscenarios_arrangements(void);

#endif
