// The compression of histogram logs, and of the models that stores keep.
#ifndef CONTEXTBENCH_CZLIB_SHIM_H
#define CONTEXTBENCH_CZLIB_SHIM_H

#include <zlib.h>

#endif
