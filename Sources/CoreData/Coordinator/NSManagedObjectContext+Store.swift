extension NSManagedObjectContext {
  /// The context reads or saves objects of `store`; on its queue.
  ///
  /// - Throws: 134070 while it has objects of another store: their IDs mean other rows there.
  @inline(__always)
  final func bind(to store: StoreIdentity) throws {
    if boundStore !== store { try rebind(to: store) }
  }

  @inline(never)
  private final func rebind(to store: StoreIdentity) throws {
    guard boundStore == nil || registry?.objects.objects.contains(where: { $0.key > 0 }) != true else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "The objects of \(label) come from a store that was removed from its coordinator; reset the context first.")
    }
    boundStore = store
  }
}
