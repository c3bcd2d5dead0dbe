#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A part of a file, mapped for writing.
struct HistoryWindow {
  /// `MADV_POPULATE_WRITE`, of Linux 5.14 and later, which not every C library names.
  private static let populateForWriting: CInt = 23

  private let base: UnsafeMutableRawPointer
  private let mappedLength: Int
  /// Where the part begins in memory.
  let start: UnsafeMutableRawPointer

  /// Reserves room on the disk for the part, lengthening the file if need be, and maps it with its pages in memory.
  init(of descriptor: CInt, from offset: Int, length: Int) throws(SystemFailure) {
    // The room is reserved, not left sparse: a full disk is an error here, and would be a signal at a store.
    precondition(offset >= 0 && length > 0, "a window is a part of its file")
    var failure = posix_fallocate(descriptor, off_t(offset), off_t(length))
    while failure == EINTR { failure = posix_fallocate(descriptor, off_t(offset), off_t(length)) }
    guard failure == 0 else { throw SystemFailure(code: failure) }
    let ahead = offset % sysconf(Int32(_SC_PAGESIZE))
    mappedLength = ahead + length
    let mapped = mmap(
      nil, mappedLength, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset - ahead))
    guard let mapped, mapped != MAP_FAILED else { throw SystemFailure(code: errno) }
    // Writable from the start, so that no record pays for a page; older kernels do it page by page.
    _ = madvise(mapped, mappedLength, Self.populateForWriting)
    base = mapped
    start = mapped + ahead
  }

  /// Ends the mapping; the bytes stay in the file.
  func unmap() { munmap(base, mappedLength) }
}
