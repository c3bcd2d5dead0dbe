extension Statistics {
  /// Which probabilities hold when all of them are looked at: with at most this level any holds by chance.
  ///
  /// - SeeAlso: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
  package static func holm(_ probabilities: [Double], level: Double) -> [Bool] {
    precondition(probabilities.isEmpty || (level > 0 && level < 1), "a level lies between 0 and 1")
    var holds = probabilities.map { _ in false }
    let ordered = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    for (rank, index) in ordered.enumerated() {
      guard probabilities[index] <= level / Double(probabilities.count - rank) else { break }
      holds[index] = true
    }
    return holds
  }
}
