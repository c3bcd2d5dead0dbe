import Checking
import CoreData

/// A setting of a class, with values that it can have.
struct Settable<Owner: NSObject> {
  let name: String
  /// Whether a version hash has it.
  var isHashed = false
  /// Whether instances with different values are different.
  var isCompared = true
  /// The values as text.
  let texts: [String]
  /// Gives it the value at an index.
  let set: (Owner, Int) -> Void
  let text: (Owner) -> String

  init<Value>(
    _ name: String, _ path: ReferenceWritableKeyPath<Owner, Value>, _ values: [Value], isHashed: Bool = false,
    isCompared: Bool = true
  ) {
    self.init(
      name, values.map { "\($0)" }, isHashed: isHashed, isCompared: isCompared,
      set: { $0[keyPath: path] = values[$1] }, text: { "\($0[keyPath: path])" })
  }

  init(
    _ name: String, _ texts: [String], isHashed: Bool = false, isCompared: Bool = true,
    set: @escaping (Owner, Int) -> Void, text: @escaping (Owner) -> String
  ) {
    precondition(Set(texts).count == texts.count && texts.count > 1, "\(name) has values that differ")
    (self.name, self.texts, self.set, self.text) = (name, texts, set, text)
    (self.isHashed, self.isCompared) = (isHashed, isCompared)
  }

  /// The same setting of a subclass.
  func of<Heir: NSObject>(_ type: Heir.Type, isHashed: Bool? = nil) -> Settable<Heir> {
    func owner(_ heir: Heir) -> Owner {
      guard let owner = heir as? Owner else { preconditionFailure("\(Heir.self) inherits from \(Owner.self)") }
      return owner
    }
    return Settable<Heir>(
      name, texts, isHashed: isHashed ?? self.isHashed, isCompared: isCompared, set: { set(owner($0), $1) },
      text: { text(owner($0)) })
  }
}

extension RuleTrial {
  /// Gives an instance drawn values of all its settings, in a drawn order, some of them another value first.
  ///
  /// - Returns: the values' indices.
  func setAll<Owner>(_ table: [Settable<Owner>], of owner: Owner, _ what: String) throws -> [Int] {
    let chosen = table.map { draw($0.texts.count) }
    try give(owner, chosen, table, what)
    return chosen
  }

  /// Gives an instance values of all its settings, in a drawn order, some of them another value first.
  private func give<Owner>(_ owner: Owner, _ chosen: [Int], _ table: [Settable<Owner>], _ what: String) throws {
    precondition(chosen.count == table.count, "each setting has its value")
    for index in shuffled(Array(table.indices)) {
      if chance(1, of: 4) { table[index].set(owner, draw(table[index].texts.count)) }
      table[index].set(owner, chosen[index])
    }
    note("\(what): \(zip(table, chosen).map { "\($0.name) \($0.texts[$1])" }.joined(separator: ", "))")
    try requireAll(table, of: owner, chosen, what)
  }

  /// An instance has these values.
  func requireAll<Owner>(
    _ table: [Settable<Owner>], of owner: Owner, _ chosen: [Int], _ what: @autoclosure () -> String
  ) throws {
    precondition(chosen.count == table.count, "each setting has its value")
    for (setting, index) in zip(table, chosen) {
      try require(setting.text(owner), setting.texts[index], .wrongValue, "\(setting.name) of \(what())")
    }
  }

  /// A copy has all values of its original, and so has one that was made alike; each of them can be changed alone. Where values are
  /// compared, whoever has the same ones is equal, with an equal hash, until one of them is changed; where there are version hashes
  /// they are equal, until one that is hashed is changed.
  ///
  /// - Returns: an instance with drawn values.
  @discardableResult
  func tryCopies<Owner: NSObject & NSCopying>(
    _ table: [Settable<Owner>], comparesValues: Bool = true, versionHash: ((Owner) -> Data)? = nil, _ what: String,
    _ make: () -> Owner
  ) throws -> Owner {
    precondition(Set(table.map(\.name)).count == table.count, "no two settings have one name")
    let (original, alike) = (make(), make())
    precondition(original !== alike, "each is made anew")
    let chosen = try setAll(table, of: original, what)
    try give(alike, chosen, table, what + " that was made alike")
    for (other, text) in [(original.copy() as? Owner, "the copy of \(what)"), (alike, "\(what), made alike")] {
      guard let other else { try report(.wrongValue, text, expected: "of its class", seen: "another class"); break }
      try require(
        [other === original, type(of: other) == type(of: original)], [false, true], .wrongValue,
        "whether \(text) is the original, and of its class")
      try requireAll(table, of: other, chosen, text)
      func requireEqual(_ isEqual: Bool, _ isHashed: Bool, _ moment: String) throws {
        if comparesValues {
          try require(
            [other.isEqual(original), original.isEqual(other)], [isEqual, isEqual], .wrongValue,
            "whether \(text) is equal \(moment)")
          let isSameHash = !isEqual || other.hash == original.hash
          try require(isSameHash, true, .wrongValue, "whether \(text) has an equal hash \(moment)")
        }
        guard let versionHash else { return }
        try require(
          versionHash(other) == versionHash(original), isHashed, .wrongValue,
          "whether \(text) has an equal version hash \(moment)")
      }
      try requireEqual(true, true, "at first")
      for index in shuffled(Array(table.indices)) {
        let (setting, count) = (table[index], table[index].texts.count)
        let new = (chosen[index] + 1 + draw(count - 1)) % count
        setting.set(other, new)
        try require(setting.text(other), setting.texts[new], .wrongValue, "\(setting.name) of \(text), changed")
        var changed = chosen
        changed[index] = new
        try requireAll(table, of: other, changed, "\(text) after a change of \(setting.name)")
        try requireAll(table, of: original, chosen, "\(what) after a change of \(setting.name) of \(text)")
        try requireEqual(!setting.isCompared, !setting.isHashed, "after a change of \(setting.name)")
        setting.set(other, chosen[index])
      }
      try requireEqual(true, true, "with all values back")
    }
    return original
  }
}
