@testable import CoreData
@testable import RowStore

extension Driver {
  /// Takes over an order that the model cannot tell.
  func adoptOrder(
    _ object: NSManagedObject, _ property: PropertyLayout, _ number: Int, _ name: Int, _ model: inout ReferenceModel
  ) throws {
    guard property.relation.isOrdered,
      model.contexts[number].things[name]?.many[property.index]?.order.isUnsure == true
    else { return }
    var adopted = ReferenceModel.Order()
    if let known = object.knownToMany(property), let order = known.order {
      // An object that is gone changes no order.
      func names(_ objects: ContiguousArray<NSManagedObject>?) throws -> [Int]? {
        try objects?.filter { !$0.state.contains(.gone) }.map { try self.name(of: $0) }
      }
      adopted = ReferenceModel.Order(
        list: try names(known.members?.objects), comers: try names(known.additions) ?? [],
        stored: try names(order.stored), wanted: try names(order.wanted), isArranged: order.isArranged,
        yieldsToStore: order.yieldsToStore)
    }
    model.contexts[number].things[name]?.many[property.index]?.order = adopted
  }

  /// The orders of an object that was read from the store.
  func compareStoredOrders(_ object: NSManagedObject, _ name: Int, _ model: inout ReferenceModel) throws {
    for property in object.layout.relationships where property.relation.isOrdered {
      let found = try object.members(property).objects.map { try self.name(of: $0) }
      guard model.observeStored(name, property.index, found) else {
        let expected = model.storeOrder[ReferenceModel.ListKey(owner: name, property: property.index)] ?? []
        throw Difference("store: #\(name).\(property.name) is in the order \(found), expected \(expected ?? [])")
      }
    }
  }
}
