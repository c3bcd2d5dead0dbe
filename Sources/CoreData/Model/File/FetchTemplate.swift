/// A fetch request as a model's file has it.
struct FetchTemplate: Sendable {
  let name: String
  let entity: String
  let attributes: [String: String]
  let line: Int

  var predicate: String? { attributes["predicateString"] }
}
