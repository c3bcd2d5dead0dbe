import CoreData

/// A script as the randomised test prints it: a line that says which world, then a step a line.
struct ScriptText {
  let world: World
  let steps: [Operation]

  /// - Throws: ``Difference`` with the line that is no step.
  init(_ text: String) throws {
    var lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    guard !lines.isEmpty else { throw Difference("an empty script: the first line is the world, as it was printed") }
    world = try Self.world(lines.removeFirst())
    var entities: [Int: Int] = [:]
    steps = try lines.map { line in
      guard let step = Self.step(line, &entities) else { throw Difference("no step of a script: \(line)") }
      return step
    }
  }

  // MARK: The world

  private static func world(_ line: String) throws -> World {
    let halves = line.components(separatedBy: ": ")
    guard halves.count == 2 else { throw Difference("no world of a script: \(line)") }
    var world = World(
      members: [], isInFile: halves[0].hasPrefix("a file"), keepsHistory: halves[0].contains("history"),
      isOrdered: halves[0].contains("ordered"), parentsAreBusy: halves[0].contains("busy"))
    for part in halves[1].components(separatedBy: "; ") {
      var member = World.Member()
      member.merges = part.contains("merges by itself")
      member.undoes = part.contains("can undo")
      member.isElsewhere = part.contains("in another process")
      let words = part.split(whereSeparator: { $0 == " " || $0 == "," })
      guard words.count > 3, let number = Int(words[3].drop { $0 == "c" }) else {
        throw Difference("no context of a script: \(part)")
      }
      if words[1] == "child" {
        (member.parent, member.coordinator) = (number, world.members[number].coordinator)
      } else {
        member.coordinator = number
      }
      world.members.append(member)
    }
    return world
  }

  // MARK: Steps

  private static func step(_ line: String, _ entities: inout [Int: Int]) -> Operation? {
    if line.hasSuffix(", and save") { return step(String(line.dropLast(10)), &entities).map { .elsewhere($0) } }
    let numbers = line.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 1, let context = numbers.first else { return nil }
    let rest = Array(numbers.dropFirst())
    if words[1].hasPrefix("#") { return change(context, words, rest, entities) }
    guard let first = rest.first else { return plain(context, words) }
    switch words[1] {
    case "insert":
      guard let entity = AtlasSchema.entities.firstIndex(where: { $0.name == words[2] }) else { return nil }
      entities[first] = entity
      return .insert(context, entity: entity, name: first)
    case "read": return rest.count > 1 ? .read(context, name: first, property: rest[1]) : nil
    case "delete": return .delete(context, name: first)
    case "refresh": return .refresh(context, name: first, merging: line.hasSuffix("true"))
    case "object(with:": return .object(context, name: first)
    case "existingObject(with:": return .existing(context, name: first)
    case "obtainPermanentIDs(for:": return .obtain(context, name: first)
    case "merge":
      return line.hasSuffix("by its IDs") ? .remote(context, saveFromEnd: first) : .merge(context, saveFromEnd: first)
    case "fetch": return fetch(context, words)
    default: return nil
    }
  }

  /// Steps without a number.
  private static func plain(_ context: Int, _ words: [String]) -> Operation? {
    switch words[1] {
    case "save": .save(context)
    case "rollback": .rollback(context)
    case "reset": .reset(context)
    case "generation": words.last.flatMap(GenerationStep.init).map { .generation($0) }
    case "undo": .undo(context)
    case "redo": .redo(context)
    case "let": .letGo(context)
    case "processPendingChanges": .process(context)
    case "merge": policies.first { "\($0)" == words.last }.map { .policy(context, $0) }
    case "fetch": fetch(context, words)
    default: nil
    }
  }

  private static let policies = (UInt(0)...4).compactMap(NSMergePolicyType.init)

  private static func fetch(_ context: Int, _ words: [String]) -> Operation? {
    guard let entity = AtlasSchema.entities.firstIndex(where: { $0.name == words[2] }) else { return nil }
    guard words.count > 6 else { return .fetchAll(context, entity: entity) }
    guard let property = AtlasSchema.entities[entity].properties.firstIndex(where: { $0.name == words[4] }) else {
      return nil
    }
    return .fetch(context, entity: entity, property: property, value: Int(words[6]))
  }

  /// A step that begins with an object and a property.
  private static func change(_ context: Int, _ words: [String], _ rest: [Int], _ entities: [Int: Int]) -> Operation? {
    guard rest.count > 1, words.count > 3 else { return nil }
    let (name, property) = (rest[0], rest[1])
    switch words[2] {
    case "=":
      guard let entity = entities[name] else { return nil }
      let value = rest.dropFirst(2).first
      return ReferenceModel.property(entity, property).isRelationship
        ? .relate(context, name: name, property: property, to: value)
        : .set(context, name: name, property: property, value: value)
    case "add": return rest.count > 2 ? .add(context, name: name, property: property, member: rest[2]) : nil
    case "remove": return rest.count > 2 ? .remove(context, name: name, property: property, member: rest[2]) : nil
    case "move":
      return rest.count > 3 ? .move(context, name: name, property: property, member: rest[2], to: rest[3]) : nil
    default: return nil
    }
  }
}

extension Operation {
  /// The step as ``FoundScriptTests`` has it.
  var source: String {
    func optional(_ value: Int?) -> String { value.map(String.init) ?? "nil" }
    func entity(_ number: Int) -> String { AtlasSchema.entities[number].name.lowercased() }
    switch self {
    case .insert(let context, let number, let name):
      return ".insert(\(context), entity: \(entity(number)), name: \(name))"
    case .set(let context, let name, let property, let value):
      return ".set(\(context), name: \(name), property: \(property), value: \(optional(value)))"
    case .relate(let context, let name, let property, let target):
      return ".relate(\(context), name: \(name), property: \(property), to: \(optional(target)))"
    case .add(let context, let name, let property, let member):
      return ".add(\(context), name: \(name), property: \(property), member: \(member))"
    case .remove(let context, let name, let property, let member):
      return ".remove(\(context), name: \(name), property: \(property), member: \(member))"
    case .move(let context, let name, let property, let member, let other):
      return ".move(\(context), name: \(name), property: \(property), member: \(member), to: \(other))"
    case .read(let context, let name, let property): return ".read(\(context), name: \(name), property: \(property))"
    case .delete(let context, let name): return ".delete(\(context), name: \(name))"
    case .process(let context): return ".process(\(context))"
    case .policy(let context, let policy): return ".policy(\(context), .\(policy))"
    case .save(let context): return ".save(\(context))"
    case .merge(let context, let save): return ".merge(\(context), saveFromEnd: \(save))"
    case .remote(let context, let save): return ".remote(\(context), saveFromEnd: \(save))"
    case .refresh(let context, let name, let merging): return ".refresh(\(context), name: \(name), merging: \(merging))"
    case .rollback(let context): return ".rollback(\(context))"
    case .reset(let context): return ".reset(\(context))"
    case .fetch(let context, let number, let property, let value):
      return ".fetch(\(context), entity: \(entity(number)), property: \(property), value: \(optional(value)))"
    case .fetchAll(let context, let number): return ".fetchAll(\(context), entity: \(entity(number)))"
    case .object(let context, let name): return ".object(\(context), name: \(name))"
    case .existing(let context, let name): return ".existing(\(context), name: \(name))"
    case .obtain(let context, let name): return ".obtain(\(context), name: \(name))"
    case .undo(let context): return ".undo(\(context))"
    case .redo(let context): return ".redo(\(context))"
    case .letGo(let context): return ".letGo(\(context))"
    case .generation(let step): return ".generation(.\(step))"
    case .elsewhere(let errand): return ".elsewhere(\(errand.source))"
    }
  }
}
