extension History {
  /// The transactions over lists, in the order of their invocations; one without a completion may have taken place.
  ///
  /// - Throws: `Unusable`, when an operation of a transaction is outside of one, a list has not the values it announces, or
  ///   the lists are of several entities.
  /// - Complexity: O(*n*) for *n* records.
  package func transactions() throws(Unusable) -> [Transaction] {
    var reader = TransactionReader()
    for (step, operation) in operations.enumerated() { try reader.read(operation, at: step) }
    return try reader.finish()
  }
}
