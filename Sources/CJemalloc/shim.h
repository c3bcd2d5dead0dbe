// jemalloc under its own name; malloc itself is replaced by linking the library.
#ifndef CONTEXTBENCH_CJEMALLOC_SHIM_H
#define CONTEXTBENCH_CJEMALLOC_SHIM_H

#include <jemalloc/jemalloc.h>

#endif
