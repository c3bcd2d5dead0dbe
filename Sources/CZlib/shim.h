// The compression of histogram logs.
#ifndef CONTEXTBENCH_CZLIB_SHIM_H
#define CONTEXTBENCH_CZLIB_SHIM_H

#include <zlib.h>

#endif
