import Foundation

extension SQLGenerator {
  /// The SQL of an expression's value.
  ///
  /// - Precondition: it can be translated (``ResolvedExpression/isTranslatable``).
  package mutating func expression(_ expression: ResolvedExpression) -> String {
    switch expression {
    case .constant(.null): return "NULL"
    case .constant(let slot): return parameter(slot)
    case .path(let path): return column(path)
    case .entity(let path): return "\(table(path.scope, path.steps[...])).Z_ENT"
    case .entityName(let path):
      let column = "\(table(path.scope, path.steps[...])).Z_ENT"
      let cases = schema.model.entities.map { "WHEN \($0.number) THEN '\($0.name.replacing("'", with: "''"))'" }
      return "CASE \(column) \(cases.joined(separator: " ")) END"
    case .function(let function, let arguments):
      var values: [String] = []
      for argument in arguments { values.append(self.expression(argument)) }
      return call(function, values)
    case .conditional(let predicate, let yes, let no):
      let condition = condition(predicate)
      return "CASE WHEN \(condition) THEN \(self.expression(yes)) ELSE \(self.expression(no)) END"
    case .aggregate(let aggregate, let collection, let value):
      let sql = select(collection, isDistinct: true) { generator in
        if aggregate == .count { return ("count(*)", nil) }
        return ("\(aggregate.sqlName)(\(generator.expression(value)))", nil)
      }
      return "(\(sql))"
    case .group(.count, nil): return "count(*)"
    case .group(let aggregate, let value):
      let distinct = aggregate == .countDistinct ? "DISTINCT " : ""
      return "\(aggregate.sqlName)(\(distinct)\(value.map { self.expression($0) } ?? "NULL"))"
    }
  }

  private func call(_ function: ScalarFunction, _ values: [String]) -> String {
    func joined(_ symbol: String) -> String { "(" + values.joined(separator: " \(symbol) ") + ")" }
    // Functions that SQLite computes as evaluation in memory does; all others call that.
    return switch function {
    case .add: joined("+")
    case .subtract: joined("-")
    case .multiply: joined("*")
    case .divide: joined("/")
    case .plain: "+\(values.first ?? "NULL")"
    case .real: "CAST(\(values.first ?? "NULL") AS REAL)"
    default: "\(function.sqlName)(\(values.joined(separator: ", ")))"
    }
  }
}

extension CollectionAggregate {
  fileprivate var sqlName: String {
    switch self {
    case .count: "count"
    case .sum: PredicateFunctions.sum
    case .average: PredicateFunctions.average
    case .minimum: "min"
    case .maximum: "max"
    }
  }
}

extension GroupAggregate {
  fileprivate var sqlName: String {
    switch self {
    case .count, .countDistinct: "count"
    case .sum: PredicateFunctions.sum
    case .average: "avg"
    case .min: "min"
    case .max: "max"
    case .median, .mode, .stddev: "coredata_\(rawValue)"
    }
  }
}
