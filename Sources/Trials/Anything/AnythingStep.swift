import Scheduling

/// One step of a client, in a form that can be written down and repeated.
enum AnythingStep: Sendable {
  /// Which of a client's contexts a step is for.
  enum Actor: String, CaseIterable, Sendable {
    case own, child
  }

  /// How a context hears of others' saves.
  enum Way: String, CaseIterable, Sendable {
    case merge, remote, refresh, reset
  }

  /// The subject of a look.
  enum Look: String, CaseIterable, Sendable {
    case everything, one, lists, main, fresh, state
  }

  /// A unit of work through the strategy's writer.
  case write([Edit])
  case edit(Actor, [Edit])
  case save(Actor)
  case rollBack(Actor)
  case reset(Actor)
  case refresh(Actor, Int, merging: Bool)
  case hear(Actor, Way)
  case look(Actor, Look)
  /// Questions drawn from a seed.
  case ask(Actor, UInt64)
  /// Edits that are undone, redone and perhaps undone again.
  case undo([Edit], keeps: Bool)
  /// A delete that a rule denies, with its save.
  case deny(Actor, Int)
  /// Lets some objects go, which may leave the context then.
  case release(Actor, UInt64)
  /// A batch request: edits of one kind.
  case batch([Edit])
  /// An object gets its permanent ID.
  case identify(Actor, Int)
  /// An attribute gets a value that its rules forbid, for one save.
  case breakRule(Actor, Int, String)
  /// An object is deleted, and a relationship of another one is set to it, for one save.
  case dangle(Actor, Int, String, Int)
  /// An author gets a code, which may be another's.
  case code(Int, Int)
  /// Two authors exchange their codes.
  case exchange(Int, Int)
  /// Edits that are saved and then undone.
  case undoSaved([Edit])
  /// A context that reads one state of the store takes the newest one: by choosing it, or by a merge.
  case renewState(merging: Bool)
  /// A step among the objects that all clients share, drawn from a seed.
  case share(UInt64)
}

extension AnythingStep: CustomStringConvertible {
  var description: String {
    func text(_ edits: [Edit]) -> String { edits.map(\.description).joined(separator: "; ") }
    return switch self {
    case .write(let edits): "write: \(text(edits))"
    case .edit(let actor, let edits): "\(actor) edit: \(text(edits))"
    case .save(let actor): "\(actor) save"
    case .rollBack(let actor): "\(actor) rollback"
    case .reset(let actor): "\(actor) reset"
    case .refresh(let actor, let name, let merging): "\(actor) refresh \(name) \(merging)"
    case .hear(let actor, let way): "\(actor) hear \(way)"
    case .look(let actor, let look): "\(actor) look \(look)"
    case .ask(let actor, let seed): "\(actor) ask \(seed)"
    case .undo(let edits, let keeps): "own undo \(keeps): \(text(edits))"
    case .deny(let actor, let name): "\(actor) deny \(name)"
    case .release(let actor, let seed): "\(actor) release \(seed)"
    case .batch(let edits): "batch: \(text(edits))"
    case .identify(let actor, let name): "\(actor) identify \(name)"
    case .breakRule(let actor, let name, let attribute): "\(actor) break \(name) \(attribute)"
    case .dangle(let actor, let name, let relationship, let target):
      "\(actor) dangle \(name) \(relationship) \(target)"
    case .code(let name, let value): "own code \(name) \(value)"
    case .exchange(let first, let second): "own exchange \(first) \(second)"
    case .undoSaved(let edits): "own undo-saved: \(text(edits))"
    case .renewState(let merging): "own renew-state \(merging)"
    case .share(let seed): "own share \(seed)"
    }
  }

  /// Reads the form that ``description`` writes; nil for other text.
  init?(_ line: Substring) {
    let parts: [Substring] = line.split(separator: ":", maxSplits: 1)
    let words = (parts.first ?? "").split(separator: " ").map(String.init)
    let texts = parts.count > 1 ? parts[1].split(separator: ";") : []
    let edits = texts.compactMap { Edit($0) }
    guard edits.count == texts.count else { return nil }
    func last<Number: FixedWidthInteger>(_: Number.Type) -> Number? { words.last.flatMap { Number($0) } }
    if words == ["write"] || words == ["batch"] {
      self = words == ["write"] ? .write(edits) : .batch(edits)
      return
    }
    guard words.count > 1, let actor = Actor(rawValue: words[0]) else { return nil }
    switch (words[1], words.count) {
    case ("edit", 2): self = .edit(actor, edits)
    case ("save", 2): self = .save(actor)
    case ("rollback", 2): self = .rollBack(actor)
    case ("reset", 2): self = .reset(actor)
    case ("refresh", 4):
      guard let name = Int(words[2]) else { return nil }
      self = .refresh(actor, name, merging: words[3] == "true")
    case ("hear", 3):
      guard let way = Way(rawValue: words[2]) else { return nil }
      self = .hear(actor, way)
    case ("look", 3):
      guard let look = Look(rawValue: words[2]) else { return nil }
      self = .look(actor, look)
    case ("ask", 3):
      guard let seed = last(UInt64.self) else { return nil }
      self = .ask(actor, seed)
    case ("undo", 3): self = .undo(edits, keeps: words[2] == "true")
    case ("deny", 3):
      guard let name = last(Int.self) else { return nil }
      self = .deny(actor, name)
    case ("break", 4):
      guard let name = Int(words[2]) else { return nil }
      self = .breakRule(actor, name, words[3])
    case ("dangle", 5):
      guard let name = Int(words[2]), let target = last(Int.self) else { return nil }
      self = .dangle(actor, name, words[3], target)
    case ("code", 4), ("exchange", 4):
      guard let first = Int(words[2]), let second = Int(words[3]) else { return nil }
      self = words[1] == "code" ? .code(first, second) : .exchange(first, second)
    case ("undo-saved", 2): self = .undoSaved(edits)
    case ("identify", 3):
      guard let name = last(Int.self) else { return nil }
      self = .identify(actor, name)
    case ("release", 3):
      guard let seed = last(UInt64.self) else { return nil }
      self = .release(actor, seed)
    case ("renew-state", 3): self = .renewState(merging: words[2] == "true")
    case ("share", 3):
      guard let seed = last(UInt64.self) else { return nil }
      self = .share(seed)
    default: return nil
    }
  }
}
