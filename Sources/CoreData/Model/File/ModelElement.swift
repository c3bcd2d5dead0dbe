/// One element of a model's XML.
final class ModelElement {
  let name: String
  let attributes: [String: String]
  /// Line on which its start tag ends, from 1.
  let line: Int
  var children: [ModelElement] = []

  init(_ name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// An attribute's text.
  subscript(_ attribute: String) -> String? { attributes[attribute] }

  /// Children of that name.
  func children(_ name: String) -> [ModelElement] { children.filter { $0.name == name } }
}
