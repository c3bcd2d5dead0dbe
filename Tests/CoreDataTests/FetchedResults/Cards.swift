import CoreData
import Testing

/// A card in a box: the objects that controllers list in these tests.
final class Card: NSManagedObject {
  private static let boxKey = _PropertyKey("box")
  private static let rankKey = _PropertyKey("rank")
  private static let serialKey = _PropertyKey("serial")
  private static let isShownKey = _PropertyKey("isShown")
  private static let textKey = _PropertyKey("text")
  private static let ownerKey = _PropertyKey("owner")

  var box: String? {
    get { _string(Self.boxKey) }
    set { _setString(Self.boxKey, newValue) }
  }
  var rank: Int64 {
    get { _integer(Self.rankKey) }
    set { _setInteger(Self.rankKey, newValue) }
  }
  /// Unique, so that the order is certain.
  var serial: Int64 {
    get { _integer(Self.serialKey) }
    set { _setInteger(Self.serialKey, newValue) }
  }
  var isShown: Bool {
    get { _integer(Self.isShownKey) != 0 }
    set { _setInteger(Self.isShownKey, newValue ? 1 : 0) }
  }
  var text: String? {
    get { _string(Self.textKey) }
    set { _setString(Self.textKey, newValue) }
  }
  var owner: NSManagedObject? {
    get { _toOne(Self.ownerKey) }
    set { _setToOne(Self.ownerKey, newValue) }
  }
}

enum Cards {
  static func model() -> NSManagedObjectModel {
    let card = Notebook.entity("Card", Card.self)
    let owner = Notebook.entity("Owner", NSManagedObject.self)
    let its = Notebook.relationship("owner", to: owner, maxCount: 1)
    let cards = Notebook.relationship("cards", to: card, maxCount: 0)
    (its.inverseRelationship, cards.inverseRelationship) = (cards, its)
    card.properties = [
      Notebook.attribute("box", .stringAttributeType),
      Notebook.attribute("rank", .integer64AttributeType, defaultValue: 0),
      Notebook.attribute("serial", .integer64AttributeType, defaultValue: 0),
      Notebook.attribute("isShown", .booleanAttributeType, defaultValue: true),
      Notebook.attribute("text", .stringAttributeType), its,
    ]
    owner.properties = [Notebook.attribute("name", .stringAttributeType), cards]
    let model = NSManagedObjectModel()
    model.entities = [card, owner]
    return model
  }

  static func request(sections: Bool = false) -> NSFetchRequest<Card> {
    let request = NSFetchRequest<Card>(entityName: "Card")
    request.predicate = NSPredicate(format: "isShown == YES")
    request.sortDescriptors = ((sections ? ["box"] : []) + ["rank", "serial"]).map {
      NSSortDescriptor(key: $0, ascending: true)
    }
    return request
  }

  /// A controller that was not asked to fetch yet.
  static func controller(_ context: NSManagedObjectContext, sections: Bool = false) -> NSFetchedResultsController<Card>
  {
    NSFetchedResultsController(
      fetchRequest: request(sections: sections), managedObjectContext: context,
      sectionNameKeyPath: sections ? "box" : nil, cacheName: nil)
  }
}

extension NSManagedObjectContext {
  /// A card with its rank as serial; on this context's queue.
  @discardableResult
  func insertCard(_ rank: Int64, box: String? = nil, text: String? = nil) -> Card {
    let card = Card(context: self)
    card.rank = rank
    card.serial = rank
    card.box = box
    card.text = text
    return card
  }
}
