import Checking
import CoreData

// A transient value that was given to an object stays through merges, whatever they bring of its row.

extension AnythingClient {
  /// Gives an object of the own context a transient value, which is no change of it.
  func mark(_ name: Int, _ value: Int) throws {
    try requireHeard(.own)
    try own.context.performAndWait {
      guard let object = try own.find(name, own.view), !object.isDeleted else { return }
      _ = ContextPicture.name(of: object)
      let text = "mark \(value)"
      object.setPrimitiveValue(text, forKey: DrawnModel.mark)
      marks[name] = (object, text)
    }
  }

  /// The own context's marks are as they were set, unless the step may have made a fault of an object.
  func checkMarks(after step: AnythingStep) throws {
    guard step.keepsTransients else { return marks.removeAll() }
    let lost = own.context.performAndWait {
      marks.filter { _, mark in
        let isThere = mark.object.managedObjectContext != nil && !mark.object.isDeleted && !mark.object.isFault
        return isThere && mark.object.primitiveValue(forKey: DrawnModel.mark) as? String != mark.text
      }.keys.min()
    }
    session.count(\.valuesCompared, marks.count)
    guard let lost else { return }
    try report(
      .wrongValue, "the transient value of \(lost) in \(own.name)", expected: marks[lost]?.text ?? "",
      seen: "another one")
  }
}

extension AnythingStep {
  /// Whether objects of the own context that are no faults have the same transient values afterwards: through merges, but not
  /// through what takes values back, or decides about them.
  fileprivate var keepsTransients: Bool {
    switch self {
    case .write, .batch, .hear(_, .merge), .hear(_, .remote), .look, .release, .renewState, .mark: true
    default: false
    }
  }
}
