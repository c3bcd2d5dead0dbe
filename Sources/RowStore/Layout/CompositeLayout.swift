import Foundation

/// The elements of a composite attribute; elements of composites within it follow each other as its own do.
package final class CompositeLayout: Sendable {
  /// An attribute with a column of its own.
  package struct Leaf: Sendable {
    package let name: String
    /// Names from the composite to the attribute, joined by dots; for messages.
    package let path: String
    package let type: AttributeType

    package init(name: String, path: String, type: AttributeType) {
      self.name = name
      self.path = path
      self.type = type
    }
  }

  /// One element: a leaf, or a composite of the leaves from that number.
  package struct Element: Sendable {
    package let name: String
    package let first: Int
    package let composite: CompositeLayout?

    package init(name: String, first: Int, composite: CompositeLayout?) {
      precondition(first >= 0, "the leaves of a composite are numbered from 0")
      self.name = name
      self.first = first
      self.composite = composite
    }
  }

  package let leaves: [Leaf]
  package let elements: [Element]

  package init(leaves: [Leaf], elements: [Element]) {
    precondition(
      elements.reduce(0) { $0 + ($1.composite?.leaves.count ?? 1) } == leaves.count, "each leaf is that of one element")
    self.leaves = leaves
    self.elements = elements
  }

  /// Reasons why the composite cannot be stored; empty when it can.
  package var problems: [String] {
    var problems: [String] = []
    if Set(elements.map(\.name)).count < elements.count { problems.append("two elements have one name") }
    for leaf in leaves {
      switch leaf.type {
      case .undefined, .transformable, .objectID, .composite:
        problems.append("the element \(leaf.path) is of a type that no composite can hold")
      default: break
      }
    }
    return problems
  }

  /// The slots of a dictionary's values, from the composite's first leaf on.
  package func slots(_ value: [String: Any]) -> Result<[Slot], SlotMismatch> {
    var slots = [Slot](repeating: .null, count: leaves.count)
    var first: SlotMismatch?
    for (key, member) in value {
      guard let element = elements.first(where: { $0.name == key }) else {
        return .failure(SlotMismatch(message: "there is no element \(key); there are \(elements.map(\.name))"))
      }
      if let composite = element.composite {
        guard !(member is NSNull) else { continue }
        guard let nested = member as? [String: Any] else {
          return .failure(SlotMismatch(message: "\(key): expected a dictionary, found \(type(of: member))"))
        }
        switch composite.slots(nested) {
        case .success(let values): slots.replaceSubrange(element.first..<element.first + values.count, with: values)
        case .failure(let mismatch):
          guard let excess = mismatch.excess else { return .failure(mismatch) }
          slots.replaceSubrange(element.first..<element.first + excess.slots.count, with: excess.slots)
          first = first ?? mismatch
        }
      } else {
        switch Slot.converting(member, to: leaves[element.first].type) {
        case .success(let slot): slots[element.first] = slot
        case .failure(var mismatch):
          mismatch.message = "\(key): \(mismatch.message)"
          guard let excess = mismatch.excess else { return .failure(mismatch) }
          slots[element.first] = excess.slots[0]
          first = first ?? mismatch
        }
      }
    }
    guard var mismatch = first else { return .success(slots) }
    mismatch.excess = mismatch.excess.map { NumberOutOfRange(isAbove: $0.isAbove, slots: slots) }
    return .failure(mismatch)
  }

  /// The dictionary of the values in those slots, without those that are null.
  package func dictionary(_ slots: ArraySlice<Slot>) -> [String: Any] {
    precondition(slots.count == leaves.count, "a composite has a slot for each leaf")
    var result: [String: Any] = [:]
    for element in elements {
      let start = slots.startIndex + element.first
      if let composite = element.composite {
        let nested = composite.dictionary(slots[start..<start + composite.leaves.count])
        if !nested.isEmpty { result[element.name] = nested }
      } else if let value = slots[start].value(as: leaves[element.first].type) {
        result[element.name] = value
      }
    }
    return result
  }
}

extension PropertyLayout {
  /// Whether the attribute is made of others; of none where the model's composite has no attributes.
  package var isComposite: Bool { encoding?.isComposite ?? false }

  /// The element with that name; nil where there is none.
  package func element(_ name: String) -> PropertyLayout? {
    let path = "\(self.name).\(name)"
    return elements.first { $0.name == path }
  }

  /// The elements with a column of their own, each at the number of its leaf.
  package var leafElements: [PropertyLayout] {
    elements.flatMap { $0.isComposite ? $0.leafElements : [$0] }
  }

  /// This property's value in the attribute's slot: of an element its part, else the slot itself.
  package func part(of slot: Slot) -> Slot {
    guard let leaves else { return slot }
    guard case .boxed(let box) = slot, let value = box.value as? CompositeValue else { return .null }
    guard case .composite(let layout)? = encoding else { return value.fileSlot(leaf: leaves.lowerBound) }
    return CompositeValue.slot(layout, Array(value.slots[leaves]))
  }

  /// The slot of the attribute with this property's part taken from another slot of the attribute.
  package func slot(_ slot: Slot, withPartOf other: Slot, _ whole: PropertyLayout) -> Slot {
    guard let leaves, case .composite(let layout)? = whole.encoding else { return other }
    func value(_ slot: Slot) -> [Slot] {
      if case .boxed(let box) = slot, let value = box.value as? CompositeValue { return value.slots }
      return [Slot](repeating: .null, count: layout.leaves.count)
    }
    var slots = value(slot)
    slots.replaceSubrange(leaves, with: value(other)[leaves])
    return CompositeValue.slot(layout, slots)
  }
}

extension EntityLayout {
  /// The property with that name, or the element of a composite attribute that the path leads to; nil where there is none.
  package func property(atPath path: String) -> PropertyLayout? {
    let keys = path.split(separator: ".").map(String.init)
    guard let first = keys.first, var property = propertiesByName[first] else { return nil }
    for key in keys.dropFirst() {
      guard let element = property.element(key) else { return nil }
      property = element
    }
    return property
  }
}

/// The value of a composite attribute.
package struct CompositeValue: Hashable, EncodedValue {
  package let layout: CompositeLayout
  /// By the number of the leaf.
  package let slots: [Slot]

  /// The slot of a composite attribute: null without any value.
  package static func slot(_ layout: CompositeLayout, _ slots: [Slot]) -> Slot {
    precondition(slots.count == layout.leaves.count, "a composite value has a slot for each leaf")
    return slots.allSatisfy(\.isNull) ? .null : .boxed(SlotBox(CompositeValue(layout: layout, slots: slots)))
  }

  package var attributeValue: Any? { layout.dictionary(slots[...]) }

  package func fileSlot(leaf: Int) -> Slot { slots.indices.contains(leaf) ? slots[leaf] : .null }

  package static func == (left: CompositeValue, right: CompositeValue) -> Bool { left.slots == right.slots }

  package func hash(into hasher: inout Hasher) { hasher.combine(slots) }
}
