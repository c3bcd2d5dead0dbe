/// The form in the file of an attribute that is stored otherwise than its slot.
package enum AttributeEncoding: Sendable {
  /// Through a value transformer.
  case transformed(any ValueCoder)
  /// Large values in files beside the store.
  case external
  /// In a column for each of its elements.
  case composite(CompositeLayout)

  var isComposite: Bool {
    if case .composite = self { true } else { false }
  }
}

/// A boxed value that lies in the file as something else.
package protocol EncodedValue {
  /// The value for `value(forKey:)`.
  var attributeValue: Any? { get }
  /// The value for the column: of the element with that number where there is one for each.
  func fileSlot(leaf: Int) -> Slot
}

extension Slot {
  /// `value` as the slot of an attribute that is written at once, without a save.
  package static func encoding(
    _ value: Any?, to type: AttributeType, _ encoding: AttributeEncoding?
  ) -> Result<Slot, SlotMismatch> {
    let result = converting(value, to: type, encoding)
    guard case .transformed(let transformer)? = encoding, case .success(.boxed(let box)) = result,
      let transformed = box.value as? TransformedValue
    else { return result }
    do {
      try transformed.encode(transformer)
      return result
    } catch {
      return .failure(SlotMismatch(message: "\(error)"))
    }
  }
}
