/// Makes predicates and expressions from their archived forms.
///
/// One object may be a part of several others; the size of a predicate that is written out is bounded.
struct CompiledFormats {
  /// Parts of one predicate or expression, written out.
  private static let partsMax = 10_000
  private static let depthMax = 64

  private var predicates: [Int: (value: NSPredicate, parts: Int)] = [:]
  private var expressions: [Int: (value: NSExpression, parts: Int)] = [:]
  private var depth = 0
  /// Parts of the predicate that is being made.
  private var parts = 0

  /// The predicate behind a reference; nil for none.
  mutating func predicate(_ value: ModelArchive.Value?, in archive: ModelArchive) throws -> NSPredicate? {
    guard let object = try archive.object(value) else { return nil }
    if let known = predicates[object.index] {
      try count(known.parts)
      return known.value
    }
    let (made, size) = try nested { formats in try formats.make(object, in: archive) as NSPredicate }
    predicates[object.index] = (made, size)
    return made
  }

  /// The expression behind a reference; nil for none.
  mutating func expression(_ value: ModelArchive.Value?, in archive: ModelArchive) throws -> NSExpression? {
    guard let object = try archive.object(value) else { return nil }
    if let known = expressions[object.index] {
      try count(known.parts)
      return known.value
    }
    let (made, size) = try nested { formats in try formats.make(object, in: archive) as NSExpression }
    expressions[object.index] = (made, size)
    return made
  }

  private mutating func nested<Made>(_ make: (inout CompiledFormats) throws -> Made) throws -> (Made, parts: Int) {
    guard depth < Self.depthMax else { throw ModelArchive.Failure(description: "has a predicate nested too deeply") }
    if depth == 0 { parts = 0 }
    let before = parts
    depth += 1
    defer { depth -= 1 }
    try count(1)
    return (try make(&self), parts - before)
  }

  private mutating func count(_ more: Int) throws {
    parts += more
    if parts > Self.partsMax {
      throw ModelArchive.Failure(description: "has a predicate of more than \(Self.partsMax) parts")
    }
  }

  // MARK: Predicates

  private mutating func make(_ object: ModelArchive.Object, in archive: ModelArchive) throws -> NSPredicate {
    switch object.className {
    case "NSTruePredicate": return NSPredicate(value: true)
    case "NSFalsePredicate": return NSPredicate(value: false)
    case "NSCompoundPredicate":
      let members = try archive.list(object["NSSubpredicates"]).compactMap { try predicate($0, in: archive) }
      switch archive.number(object["NSCompoundPredicateType"]) {
      case 0 where members.count == 1: return NSCompoundPredicate(notPredicateWithSubpredicate: members[0])
      case 1: return NSCompoundPredicate(andPredicateWithSubpredicates: members)
      case 2: return NSCompoundPredicate(orPredicateWithSubpredicates: members)
      default: throw ModelArchive.Failure(description: "has a compound predicate that is neither AND, OR nor NOT")
      }
    case "NSComparisonPredicate":
      guard let left = try expression(object["NSLeftExpression"], in: archive),
        let right = try expression(object["NSRightExpression"], in: archive),
        let comparison = try archive.object(object["NSPredicateOperator"]),
        let type = NSComparisonPredicate.Operator(
          rawValue: UInt(clamping: archive.number(comparison["NSOperatorType"]))), type != .customSelector,
        let modifier = NSComparisonPredicate.Modifier(
          rawValue: UInt(clamping: archive.number(comparison["NSModifier"])))
      else { throw ModelArchive.Failure(description: "has a comparison without operands or operator") }
      let options = UInt(clamping: archive.number(comparison["NSOptions"]))
      return NSComparisonPredicate(
        leftExpression: left, rightExpression: right, modifier: modifier, type: type,
        options: NSComparisonPredicate.Options(rawValue: options & 0xF))
    default:
      throw ModelArchive.Failure(description: "has a predicate of the class \(object.className), which is not known")
    }
  }

  // MARK: Expressions

  private mutating func make(_ object: ModelArchive.Object, in archive: ModelArchive) throws -> NSExpression {
    guard
      let type = NSExpression.ExpressionType(rawValue: UInt(clamping: archive.number(object["NSExpressionType"])))
    else { throw ModelArchive.Failure(description: "has a \(object.className), which is not known") }
    switch type {
    case .constantValue: return NSExpression(forConstantValue: try archive.foundationValue(object["NSConstantValue"]))
    case .evaluatedObject: return NSExpression.expressionForEvaluatedObject()
    case .variable: return NSExpression(forVariable: try archive.text(object["NSVariable"]) ?? "")
    case .keyPath: return try keyPath(object, in: archive)
    case .function: return try function(object, in: archive)
    case .aggregate:
      let members = try archive.list(object["NSCollection"]).compactMap { try expression($0, in: archive) }
      return NSExpression(forAggregate: members)
    case .unionSet, .intersectSet, .minusSet:
      guard let left = try expression(object["NSLeftExpression"], in: archive),
        let right = try expression(object["NSRightExpression"], in: archive)
      else { throw ModelArchive.Failure(description: "has a set expression without operands") }
      return NSExpression(.set(type, left, right))
    case .subquery:
      guard let collection = try expression(object["NSExpression"], in: archive),
        let predicate = try predicate(object["NSPredicate"], in: archive),
        let variable = try archive.text(object["NSVariable"])
      else { throw ModelArchive.Failure(description: "has a subquery without its parts") }
      return NSExpression(forSubquery: collection, usingIteratorVariable: variable, predicate: predicate)
    case .anyKey: return NSExpression.expressionForAnyKey()
    case .block, .conditional, ._fetchRequest:
      throw ModelArchive.Failure(description: "has a \(object.className), which no model has")
    }
  }

  /// A key path is archived as a call of `valueForKeyPath:`; its operand is the object itself, or a variable.
  private mutating func keyPath(_ object: ModelArchive.Object, in archive: ModelArchive) throws -> NSExpression {
    guard let argument = try archive.object(try archive.list(object["NSArguments"]).first),
      let path = try archive.text(argument["NSKeyPath"]), !path.isEmpty
    else { throw ModelArchive.Failure(description: "has a key path without keys") }
    guard let operand = try expression(object["NSOperand"], in: archive) else { return NSExpression(forKeyPath: path) }
    if case .itself = operand.form { return NSExpression(forKeyPath: path) }
    return NSExpression(.function("valueForKeyPath:", operand: operand, [NSExpression(forKeyPath: path)]))
  }

  private mutating func function(_ object: ModelArchive.Object, in archive: ModelArchive) throws -> NSExpression {
    guard let name = try archive.text(object["NSSelectorName"]) else {
      throw ModelArchive.Failure(description: "has a function without a name")
    }
    let arguments = try archive.list(object["NSArguments"]).compactMap { try expression($0, in: archive) }
    // A function of the system's own has a class as its operand, which is no value.
    let operand = try archive.object(object["NSOperand"])
    if let operand, operand["NSConstantValueClassName"] == nil,
      let target = try expression(object["NSOperand"], in: archive)
    {
      return NSExpression(forFunction: target, selectorName: name, arguments: arguments)
    }
    guard ExpressionFunction.named(name, argumentCount: arguments.count) != nil else {
      throw ModelArchive.Failure(description: "has the function \(name), which is not known")
    }
    return NSExpression(forFunction: name, arguments: arguments)
  }
}
