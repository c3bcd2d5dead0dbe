import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A model's entity, as far as classes are concerned.
package struct ModelEntity: Equatable, Sendable {
  package enum Generation: Sendable {
    /// The class is written by hand.
    case none
    case `class`
    /// The properties only.
    case category
  }

  package struct Attribute: Equatable, Sendable {
    package let name: String
    /// The editor's word: `Integer 64`.
    package let type: String
    package let isScalar: Bool
    /// The class of a transformable attribute's values.
    package let customClass: String?
  }

  package struct Relationship: Equatable, Sendable {
    package let name: String
    package let destination: String?
    package let isToMany: Bool
    package let isOrdered: Bool
  }

  package let name: String
  /// Without its module.
  package let className: String
  package let parent: String?
  package let generation: Generation
  package fileprivate(set) var attributes: [Attribute] = []
  package fileprivate(set) var relationships: [Relationship] = []

  /// The entities of a version of a model, from its XML.
  ///
  /// - Throws: a sentence with the line.
  package static func read(_ data: Data, path: String) throws(SourceProblem) -> [ModelEntity] {
    func broken(line: Int) -> SourceProblem {
      SourceProblem(path: path, line: line, message: "this is no model: the XML is broken. Save it with Xcode again.")
    }
    // The parser on Linux reads a null pointer at an instruction without content.
    guard String(decoding: data, as: UTF8.self).range(of: "<\\?[^\\s?]*\\?>", options: .regularExpression) == nil
    else { throw broken(line: 1) }
    let reader = Reader()
    let parser = XMLParser(data: data)
    parser.delegate = reader
    // The parser on Linux takes a file that ends in the middle.
    guard parser.parse(), reader.depth == 0 else { throw broken(line: max(1, parser.lineNumber)) }
    return reader.entities
  }

  fileprivate init(_ element: [String: String]) {
    name = element["name"] ?? ""
    let represented = element["representedClassName"].flatMap { $0.isEmpty ? nil : $0 } ?? "NSManagedObject"
    className = String(represented.split(separator: ".").last ?? "NSManagedObject")
    parent = element["parentEntity"]
    switch element["codeGenerationType"] {
    case "class" where className != "NSManagedObject": generation = .class
    case "category" where className != "NSManagedObject": generation = .category
    default: generation = .none
    }
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var entities: [ModelEntity] = []
    /// Composite types have attributes as well.
    private var isInEntity = false
    /// How many elements are open.
    private(set) var depth = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String] = [:]
    ) {
      depth += 1
      if name == "entity" {
        isInEntity = true
        return entities.append(ModelEntity(attributes))
      }
      guard isInEntity, let own = attributes["name"] else { return }
      switch name {
      case "attribute":
        entities[entities.count - 1].attributes.append(
          Attribute(
            name: own, type: attributes["attributeType"] ?? "", isScalar: attributes["usesScalarValueType"] == "YES",
            customClass: attributes["customClassName"]))
      case "relationship":
        entities[entities.count - 1].relationships.append(
          Relationship(
            name: own, destination: attributes["destinationEntity"], isToMany: attributes["toMany"] == "YES",
            isOrdered: attributes["ordered"] == "YES"))
      default: break
      }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      depth -= 1
      if name == "entity" { isInEntity = false }
    }
  }
}
