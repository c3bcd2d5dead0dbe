import Foundation
import Scheduling

/// A model as a store's file has it beside tables and columns.
package protocol StoredModel: AnyObject {
  /// The files of new stores of the model, as far as they were made.
  var images: StoreImages { get }

  /// Identifiers of its version.
  var storedIdentifiers: [String] { get }

  /// 32 bytes that tell versions of an entity apart.
  func versionHash(of entity: EntityLayout) -> Data

  /// Whether Apple's tools are known to make the same hash of the entity.
  func isVersionHashVerified(of entity: EntityLayout) -> Bool

  /// The copy of the model that a store of these entities keeps.
  func copy(of entities: [EntityLayout]) throws -> Data

  /// The indexes that the entity itself asks for.
  func indexes(of entity: EntityLayout) -> EntityIndexes

  /// The name of the version on disk that a store with this metadata was made with; nil where that is not known.
  func version(madeWith metadata: [String: Any]) -> String?
}

/// Indexes to find rows of one entity by.
package struct EntityIndexes {
  /// An index with a name, over properties in their order.
  package struct Index {
    package let name: String
    package let elements: [(property: String, isAscending: Bool)]

    package init(name: String, elements: [(property: String, isAscending: Bool)]) {
      self.name = name
      self.elements = elements
    }
  }

  /// Properties with an index of their own.
  package var properties: [String] = []
  /// Properties with an index together.
  package var compounds: [[String]] = []
  package var indexes: [Index] = []

  package init() {}
}

/// Files of new stores of one model, each made once; the stores alone know their form.
package final class StoreImages: Sendable {
  /// Which stores of the model begin with the same file.
  struct Kind: Hashable {
    let type: String
    let members: [Int]?
    let hasHistory: Bool
  }

  private let made = Locked<[Kind: any AnyObject & Sendable]>([:])

  package init() {}

  subscript(kind: Kind) -> (any AnyObject & Sendable)? {
    get { made.withLock { $0[kind] } }
    set { made.withLock { $0[kind] = newValue } }
  }
}
