/// One word as it goes into the store.
package struct WordRow: Sendable, Equatable {
  package var number: Int64
  package var term: String
  package var meaning: String
  package var level: Int16
}
