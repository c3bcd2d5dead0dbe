/// A method like `addToWords(_:)`: its relationship, and its call.
struct RelationshipMethod {
  /// The relationship's name as the method has it: `Words`.
  let relationship: String
  private let call: (String) -> String

  /// nil when the name and the parameters are none that Core Data knows.
  init?(_ member: ManagedMember, _ parameters: [(label: String, type: ResolvedType)], _ resolver: TypeResolver) {
    let name = member.key
    var shapes = parameters.map { (label: $0.label, shape: Shape($0.type, resolver)) }
    if name != member.name {
      // A selector has the kinds of the parameters; their labels are free.
      for index in shapes.indices {
        let isPlace = shapes[index].shape == .index || shapes[index].shape == .indexes
        shapes[index].label = isPlace ? "at" : index > 0 ? "with" : ""
      }
    }
    let shape = shapes.map { "\($0.label):\($0.shape?.rawValue ?? "?")" }.joined(separator: " ")
    let forms: [(prefix: String, shape: String, call: (String) -> String)] = [
      ("addTo", ":one", { "_add(value0, to: \($0))" }), ("addTo", ":many", { "_add(all: value0, to: \($0))" }),
      ("removeFrom", ":one", { "_remove(value0, from: \($0))" }),
      ("removeFrom", ":many", { "_remove(all: value0, from: \($0))" }),
      ("insertInto", ":one at:index", { "_insert(value0, into: \($0), at: value1)" }),
      ("insertInto", ":many at:indexes", { "_insert(all: value0, into: \($0), at: value1)" }),
      ("removeFrom", "at:index", { "_remove(from: \($0), at: value0)" }),
      ("removeFrom", "at:indexes", { "_remove(from: \($0), at: value0)" }),
      ("replace", "at:index with:one", { "_replace(in: \($0), at: value0, with: value1)" }),
      ("replace", "at:indexes with:many", { "_replace(in: \($0), at: value0, with: value1)" }),
      // As Xcode named them before Swift had names of its own: `addWordsObject(_:)`, `addWords(_:)`.
      ("add", ":one", { "_add(value0, to: \($0))" }), ("add", ":many", { "_add(all: value0, to: \($0))" }),
      ("remove", ":one", { "_remove(value0, from: \($0))" }),
      ("remove", ":many", { "_remove(all: value0, from: \($0))" }),
    ]
    guard
      let form = forms.first(where: { name.hasPrefix($0.prefix) && name.count > $0.prefix.count && $0.shape == shape })
    else { return nil }
    let rest = String(name.dropFirst(form.prefix.count))
    let isOldOfOne = ["add", "remove"].contains(form.prefix) && form.shape == ":one"
    relationship = isOldOfOne && rest.hasSuffix("Object") ? String(rest.dropLast("Object".count)) : rest
    if relationship.isEmpty { return nil }
    call = form.call
  }

  func body(_ key: String) -> String { call(key) }

  /// The kind of a parameter.
  private enum Shape: String {
    case one, many, index, indexes

    init?(_ type: ResolvedType, _ resolver: TypeResolver) {
      switch type {
      case .nominal(let nominal):
        switch nominal.name {
        case "Int" where nominal.module == "Swift": self = .index
        case "NSIndexSet": self = .indexes
        case "NSSet", "NSOrderedSet", "NSArray": self = .many
        default:
          guard resolver.isManagedObject(nominal) else { return nil }
          self = .one
        }
      case .bound(let nominal, _) where nominal.name == "Set" || nominal.name == "Array": self = .many
      default: return nil
      }
    }
  }
}
