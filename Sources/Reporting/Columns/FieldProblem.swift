/// What is wrong with one field of a CSV file.
struct FieldProblem: Error, Sendable, Hashable {
  let what: String
  var remedy = "Take the file as contextbench wrote it"

  init(_ what: String) { self.what = what }

  /// The file has the columns of another version.
  static func version(_ text: String) -> FieldProblem {
    var problem = FieldProblem("is \(text), and this contextbench reads version \(CellKey.schemaVersion)")
    problem.remedy = "Read the file with the contextbench that wrote it, or run again with this one"
    return problem
  }
}
