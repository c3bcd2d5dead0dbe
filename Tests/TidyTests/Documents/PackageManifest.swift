import Foundation

/// The targets of `Package.swift` that are no tests and no examples, read from its text.
struct PackageManifest {
  struct Target: Equatable {
    let name: String
    /// Targets and products of libraries.
    let dependencies: Set<String>
  }

  /// In the order of the file.
  let targets: [Target]

  /// The package's own.
  static let own = Result {
    PackageManifest(try String(contentsOf: PackageFolder.root.appendingPathComponent("Package.swift"), encoding: .utf8))
  }

  private static let kinds: Set<Substring> = ["target", "executableTarget", "systemLibrary", "plugin"]

  init(_ text: String) {
    let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    // The products come first, and have plugins, too.
    let rest = lines.joined(separator: "\n").split(separator: "targets: [").last ?? ""
    targets = rest.indices.compactMap { start in
      guard rest[start] == ".", let open = rest[start...].firstIndex(of: "("),
        Self.kinds.contains(rest[rest.index(after: start)..<open])
      else { return nil }
      return Self.target(Self.parenthesised(rest[open...]))
    }
  }

  /// Nil for a target in `Tests` or `Examples`.
  private static func target(_ declaration: Substring) -> Target? {
    func arguments(_ label: String) -> Substring {
      guard let range = declaration.range(of: label + ":") else { return "" }
      let next = ["path", "swiftSettings", "packageAccess", "exclude", "capability", "pkgConfig"].compactMap {
        declaration[range.upperBound...].range(of: $0 + ":")?.lowerBound
      }
      return declaration[range.upperBound..<(next.min() ?? declaration.endIndex)]
    }
    let path = strings(arguments("path")).first ?? ""
    guard !path.hasPrefix("Tests/"), !path.hasPrefix("Examples/"),
      let name = strings(declaration).first
    else { return nil }
    // `.product(name: "Yams", package: "Yams")` is the product.
    let words = arguments("dependencies").split(separator: "package:")
    let packages = words.dropFirst().compactMap { strings($0).first }
    var dependencies = words.flatMap(strings)
    for package in packages { dependencies.remove(at: dependencies.lastIndex(of: package) ?? 0) }
    return Target(name: name, dependencies: Set(dependencies))
  }

  private static func parenthesised(_ text: Substring) -> Substring {
    var depth = 0
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return text[...index] }
    }
    return text
  }

  /// The contents of string literals.
  private static func strings(_ text: Substring) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
  }
}
