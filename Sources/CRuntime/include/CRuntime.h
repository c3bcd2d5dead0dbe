// What Swift's runtime offers but Swift code may not name.
#ifndef CONTEXTBENCH_CRUNTIME_H
#define CONTEXTBENCH_CRUNTIME_H

/// Retains `object` unless its deinitialisation has begun; then returns NULL.
///
/// The object's memory must not be freed during the call.
extern void *swift_tryRetain(void *object);

#endif
