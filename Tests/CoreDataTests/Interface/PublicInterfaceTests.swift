import Foundation
import Testing

/// The module as its users see it: Apple's names, each with its documentation.
@Suite struct PublicInterfaceTests {
  /// The committed list; refreshed with `CONTEXTBENCH_REFRESH_INTERFACE=1 scripts/test --filter PublicInterfaceTests`
  /// after the difference was read.
  private static let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Interface.txt")

  @Test func publicSymbolsAreTheCommittedList() throws {
    // Overloads that differ in types alone are one line.
    let lines = try Set(SymbolGraph().symbols.map(\.line)).sorted()
    #expect(lines.count > 300)
    if ProcessInfo.processInfo.environment["CONTEXTBENCH_REFRESH_INTERFACE"] == "1" {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.list)
    }
    let known = try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n").map(String.init)
    let difference = lines.difference(from: known)
    let reported = difference.map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    #expect(reported.isEmpty, "Sources/CoreData shows other symbols than \(Self.list.lastPathComponent) lists")
  }

  /// Only Apple's names, and support for generated code.
  @Test func everyNameIsApplesOrSupport() throws {
    for symbol in try SymbolGraph().symbols where symbol.kind.identifier != "swift.extension" {
      let name = symbol.pathComponents[0]
      let isApples = name.hasPrefix("NS") || Self.otherNames.contains(name)
      #expect(isApples || name.hasPrefix("_"), "\(symbol.line)")
    }
  }

  /// Names of Apple's without the prefix, and types that Foundation or the language has only on Apple's systems.
  private static let otherNames: Set<String> = [
    "CocoaError", "UndoManager", "IndexPath", "AutoreleasingUnsafeMutablePointer", "ValueTransformer",
    "autoreleasepool(invoking:)",
  ]

  @Test func everyPublicSymbolIsDocumented() throws {
    // Overrides and conformances that Foundation or the language documents.
    let inherited: Set<String> = ["description", "hash", "copy(with:)", "init(rawValue:)", "isEqual(_:)", "deinit"]
    for symbol in try SymbolGraph().symbols
    where symbol.docComment == nil && symbol.kind.identifier != "swift.extension" {
      #expect(inherited.contains(symbol.pathComponents.last ?? ""), "no documentation: \(symbol.line)")
    }
  }
}
