/// A way in which a history of transactions differs from every serial one.
///
/// Names and definitions: Adya, "Weak Consistency" (1999), and Kingsbury and Alvaro, "Elle" (VLDB 2020), which
/// adds G-nonadjacent.
package struct Anomaly: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable, Hashable {
    /// A cycle of overwriting alone.
    case g0 = "G0"
    /// A value of a transaction that did not take place was read.
    case g1a = "G1a"
    /// A list was read in the middle of a transaction that added more to it.
    case g1b = "G1b"
    /// A cycle of overwriting and reading.
    case g1c = "G1c"
    /// A cycle with one read that was overwritten: read skew.
    case gSingle = "G-single"
    /// A cycle with several of them, no two in a row: two readers saw independent appends in opposite orders.
    case gNonadjacent = "G-nonadjacent"
    /// A cycle with two of them in a row: write skew, which snapshot isolation allows.
    case g2 = "G2"
    /// An acknowledged append is missing in a later read.
    case lostUpdate = "lost update"
    /// Two reads of one list are not each other's prefix.
    case incompatibleOrder = "incompatible order"
    /// A transaction does not see its own appends.
    case internalInconsistency = "internal"
    /// A transaction saw one list in two ways.
    case unrepeatableRead = "unrepeatable read"
    /// A value was read that was never appended, or one value twice.
    case garbage
  }

  package var kind: Kind
  /// The lists concerned.
  package var keys: [Int64]
  /// Indices of the transactions, in the cycle's order where there is one.
  package var transactions: [Int]
  /// The anomaly in words, with the values; a cycle edge by edge.
  package var explanation: String

  package init(_ kind: Kind, keys: [Int64], transactions: [Int], _ explanation: String) {
    precondition(!keys.isEmpty && !transactions.isEmpty, "an anomaly names the lists and the transactions that show it")
    self.kind = kind
    self.keys = keys
    self.transactions = transactions
    self.explanation = explanation
  }
}
