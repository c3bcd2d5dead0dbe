#if canImport(CJemalloc)
  import CJemalloc
#endif

/// Bytes that the calling thread has allocated and not freed on it; nil where jemalloc is not linked.
func heldBytes() -> Int64? {
  #if canImport(CJemalloc)
    guard let allocated = counter("thread.allocated"), let freed = counter("thread.deallocated") else { return nil }
    return Int64(bitPattern: allocated &- freed)
  #else
    return nil
  #endif
}

#if canImport(CJemalloc)
  private func counter(_ name: String) -> UInt64? {
    var value: UInt64 = 0
    var size = MemoryLayout.size(ofValue: value)
    return mallctl(name, &value, &size, nil, 0) == 0 ? value : nil
  }
#endif
