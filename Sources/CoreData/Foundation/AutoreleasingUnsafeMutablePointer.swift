#if !canImport(ObjectiveC)
  /// Apple's name for a pointer to an object that is handed back; here a plain pointer.
  public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
#endif
