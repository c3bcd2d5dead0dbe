import RowStore

extension NSManagedObjectContext {
  /// The objects, or IDs, that a request asks for; unsaved changes of this context are part of the answer.
  ///
  /// On the context's queue. SQLite evaluates the part that SQL can express. The rest, and conditions that lead to unsaved
  /// changes by relationships, are evaluated in memory, over the rows that SQL selects and those that lead there.
  /// - Throws: 134060 that names the mistake in the request; 256 when the store cannot be read.
  public final func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] { try results(of: request) }

  final func results<Result>(of request: NSFetchRequest<Result>) throws -> [Result] {
    touch("fetch")
    if request.resultType.contains(.countResultType) { return try [NSNumber(value: try count(for: request))].results() }
    if request.resultType.contains(.dictionaryResultType) {
      return try DictionaryExecution(request, in: self).results()
    }
    let fetch = try request.resolved(in: self)
    guard !fetch.asksNoStore else { return [] }
    if fetch.includesPendingChanges { ChangeProcessing(of: self).runBeforeFetch() }
    if request.resultType.contains(.managedObjectIDResultType) {
      return try FoundObjects(in: self).ids(of: FetchExecution(fetch, in: self).references()).results()
    }
    let objects = try FetchExecution(fetch, in: self).objects(as: request)
    // An ID that names a superentity makes an object of that one.
    let isSure =
      fetch.entity.family.allSatisfy { $0.objectClass is Result.Type }
      && objects.firstIndexBorrowed(from: 0) { object in
        !object.layoutReference._withUnsafeGuaranteedRef { $0.isKind(of: fetch.entity) }
      } == nil
    return try Array(objects).results(isSure: isSure)
  }

  /// How many objects a request would give, its limit and offset included.
  ///
  /// On the context's queue.
  /// - Throws: as ``fetch(_:)->[Result]``.
  public final func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    touch("count(for:)")
    if request.resultType.contains(.dictionaryResultType) { return try DictionaryExecution(request, in: self).count() }
    return try FetchExecution(request.resolved(in: self), in: self).count()
  }
}

extension Array where Element: NSFetchRequestResult {
  /// The found ones, as an array of the request's type.
  ///
  /// - Parameter isSure: whether each is a `Result`.
  /// - Throws: when one is not.
  func results<Result>(isSure: Bool = false) throws -> [Result] {
    // Arrays of references to objects look the same whatever the class.
    if Result.self == Element.self || isSure && Result.self is AnyClass {
      return unsafeBitCast(self, to: [Result].self)
    }
    if Result.self == (any NSFetchRequestResult).self {
      return unsafeBitCast(map { $0 as any NSFetchRequestResult }, to: [Result].self)
    }
    return try map { element in
      guard let result = element as? Result else {
        throw NSError.coreData(
          NSCoreDataError, "The fetch request gives \(type(of: element)), and its results are to be \(Result.self).")
      }
      return result
    }
  }
}
