/// The lines of a history as JSON.
struct HistoryLines {
  private let history: History
  private let layout: StoreLayout
  private let origin: UInt64
  /// The transactions by the steps of their invocations and completions.
  private let transactions: [Int: Transaction]
  private let elements: [Int: [Int64]]

  init(_ history: History, layout: StoreLayout, transactions: [Transaction]) {
    self.history = history
    self.layout = layout
    origin = history.operations.first?.time ?? 0
    var bySteps: [Int: Transaction] = [:]
    for transaction in transactions {
      bySteps[transaction.start] = transaction
      if transaction.end < .max { bySteps[transaction.end] = transaction }
    }
    self.transactions = bySteps
    elements = history.elements { $0 != .list }
  }

  /// Appends the line of a record, if it has one of its own.
  func append(_ step: Int, to text: inout String) {
    let operation = history.operations[step]
    switch operation.function {
    case .append, .list, .elements: return
    default: break
    }
    text += "{\"index\":\(step),\"time\":\(operation.time - origin),\"type\":\"\(operation.type.name)\","
    text += "\"process\":\(operation.process),\"f\":\"\(operation.function.name)\",\"value\":"
    if let transaction = transactions[step] {
      text += Self.value(of: transaction, isSeen: operation.type == .ok)
    } else {
      text += "{\"entity\":\(entity(operation.entity)),\"key\":\(operation.key),\"count\":\(operation.count),"
      text += "\"value\":\(operation.value)"
      if let elements = elements[step] { text += ",\"elements\":\(Self.list(elements))" }
      text += "}"
    }
    if operation.context != 0 { text += ",\"context\":\(Self.quoted(history.contextName(operation.context)))" }
    if operation.object != 0 { text += ",\"object\":\(operation.object)" }
    text += "}\n"
  }

  private static func value(of transaction: Transaction, isSeen: Bool) -> String {
    let operations = transaction.operations.map { operation in
      switch operation {
      case .append(let key, let value): "[\"append\",\(key),\(value)]"
      case .read(let key, let values): "[\"r\",\(key),\(isSeen ? list(values) : "null")]"
      }
    }
    return "[" + operations.joined(separator: ",") + "]"
  }

  private static func list(_ values: [Int64]) -> String { "[" + values.map(String.init).joined(separator: ",") + "]" }

  private func entity(_ number: UInt16) -> String {
    if number == 0 { return "null" }
    // Entity names are identifiers: nothing in them needs an escape.
    return layout.entity(number).map { "\"\($0.name)\"" } ?? "\(number)"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\0"..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
