import Foundation

/// The files that a `Package.swift` compiles, and how.
struct PortedPackage {
  private struct Target {
    /// Folder of its sources, without a slash at the end.
    let folder: String
    /// Files and folders below `folder`.
    let excluded: [String]
    /// Files and folders that alone count; nil for everything.
    let sources: [String]?
    /// The version of Swift that its settings name.
    let language: String?

    /// The path below `folder`; nil for one elsewhere.
    func relative(_ path: String) -> String? {
      path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
    }

    func compiles(_ path: String) -> Bool {
      func isBelow(_ outer: String) -> Bool { outer == "." || path == outer || path.hasPrefix(outer + "/") }
      return !excluded.contains(where: isBelow) && sources?.contains(where: isBelow) != false
    }
  }

  private static let functions: Set<String> = ["executableTarget", "macro", "plugin", "target", "testTarget"]

  private var targets: [Target] = []
  private var isSwift5 = false
  private let tokens: [Token]
  private let source: SwiftSource

  /// - Parameter folder: the package's, as an absolute path.
  init(manifest: SwiftSource, folder: String) {
    precondition(folder.hasPrefix("/"), "the folder of a package is an absolute path: \(folder)")
    source = manifest
    var conditions = PortedConditions()
    tokens = Lexer(manifest).tokens.filter { token in
      conditions.note(token)
      return token.kind != .condition && !conditions.isLeftOut
    }
    var index = 0
    var others: [String] = []
    while index < tokens.count {
      others.append(tokens[index].text)
      guard index > 0, tokens[index - 1].isMark("."), Self.functions.contains(tokens[index].text),
        index + 1 < tokens.count, tokens[index + 1].isMark("(")
      else {
        index += 1
        continue
      }
      let end = group(from: index + 1)
      let arguments = arguments(index + 1, end)
      if arguments["path"] != nil || arguments["name"] != nil { addTarget(tokens[index].text, arguments, folder) }
      index = end
    }
    let line = manifest.text(manifest.range(ofLine: 1)).lowercased()
    let version = line.split(separator: ":").last.flatMap { $0.split(separator: ".").first }.map(String.init) ?? ""
    let major = Int(version.filter(\.isNumber)) ?? 5
    isSwift5 = others.contains("v5") || major < 6 && !others.contains("v6")
  }

  /// Whether the file is in a target's folder, and no target compiles it.
  func leavesOut(_ path: String) -> Bool {
    let around = targets.compactMap { target in target.relative(path).map { target.compiles($0) } }
    return !around.isEmpty && !around.contains(true)
  }

  /// Whether the target that compiles the file is in Swift 5.
  func isSwift5(_ path: String) -> Bool {
    let target = targets.first { target in target.relative(path).map { target.compiles($0) } ?? false }
    return target?.language.map { $0 == "v5" } ?? isSwift5
  }

  // MARK: Reading

  private mutating func addTarget(_ function: String, _ arguments: [String: Range<Int>], _ folder: String) {
    let name = arguments["name"].flatMap { strings(in: $0).first } ?? ""
    var places = ["Sources", "Source", "src", "srcs"].map { "\($0)/\(name)" }
    if function == "testTarget" { places = ["Tests/\(name)"] + places }
    if function == "plugin" { places = ["Plugins/\(name)"] }
    if let path = arguments["path"].flatMap({ strings(in: $0).first }) { places = [path] }
    let folders = places.map { URL(fileURLWithPath: folder + "/" + $0).standardizedFileURL.path }
    guard let own = folders.first(where: FileManager.default.fileExists(atPath:)) ?? folders.first else { return }
    let left = ["exclude", "resources"].flatMap { arguments[$0].map(strings(in:)) ?? [] }
    targets.append(
      Target(
        folder: own, excluded: left.map(Self.plain),
        sources: arguments["sources"].map { strings(in: $0).map(Self.plain) },
        language: arguments["swiftSettings"].flatMap { range in
          tokens[range].first { ["v5", "v6"].contains($0.text) }?.text
        }))
  }

  /// `./Old/` to `Old`
  private static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// The index behind the group that begins at `index`.
  private func group(from index: Int) -> Int {
    precondition(tokens[index].kind == .mark && "([{".contains(tokens[index].text), "a group begins with its bracket")
    var depth = 0
    for position in index..<tokens.count {
      if tokens[position].kind == .mark, "([{".contains(tokens[position].text) { depth += 1 }
      if tokens[position].kind == .mark, ")]}".contains(tokens[position].text) { depth -= 1 }
      if depth == 0 { return position + 1 }
    }
    return tokens.count
  }

  /// The labelled arguments of a call: the tokens of each.
  private func arguments(_ start: Int, _ end: Int) -> [String: Range<Int>] {
    precondition(tokens[start].isMark("(") && start < end, "the arguments of a call are in parentheses")
    var found: [String: Range<Int>] = [:]
    var index = start + 1
    while index + 1 < end {
      guard tokens[index].isName, tokens[index + 1].isMark(":") else { break }
      let first = index + 2
      var last = first
      while last < end - 1, !tokens[last].isMark(",") {
        let opens = tokens[last].kind == .mark && "([{".contains(tokens[last].text)
        last = opens ? group(from: last) : last + 1
      }
      found[tokens[index].text] = first..<last
      index = last + 1
    }
    return found
  }

  /// The strings in an argument; of a name, those of the constant.
  private func strings(in range: Range<Int>) -> [String] {
    tokens[range].flatMap { token -> [String] in
      if token.kind == .literal { return [token.text.trimmingCharacters(in: ["\"", "#"])] }
      guard token.isName,
        let place = tokens.indices.first(where: { index in
          index > 0 && tokens[index].text == token.text && !range.contains(index)
            && (tokens[index - 1].isWord("let") || tokens[index - 1].isWord("var"))
        }), let sign = tokens[place...].firstIndex(where: { $0.isMark("=") }), sign + 1 < tokens.count
      else { return [] }
      let end = tokens[sign + 1].isMark("[") ? group(from: sign + 1) : sign + 2
      return tokens[(sign + 1)..<end].filter { $0.kind == .literal }.map {
        $0.text.trimmingCharacters(in: ["\"", "#"])
      }
    }
  }
}

/// The packages that files belong to.
struct PortedPackages {
  private var packages: [String: PortedPackage?] = [:]

  /// The package in the nearest folder around a file; nil for a file outside of packages.
  mutating func package(around path: String) -> PortedPackage? {
    var folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
    while true {
      if let found = package(in: folder) { return found }
      guard folder != "/" else { return nil }
      folder = URL(fileURLWithPath: folder).deletingLastPathComponent().path
    }
  }

  private mutating func package(in folder: String) -> PortedPackage? {
    if let known = packages[folder] { return known }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // SwiftPM takes the one for the newest version.
    let manifests = names.filter(Self.isManifest).sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    let text = manifests.last.flatMap { try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
    let package = text.map { PortedPackage(manifest: SwiftSource(path: folder, text: $0), folder: folder) }
    packages[folder] = .some(package)
    return package
  }

  static func isManifest(_ name: String) -> Bool {
    name == "Package.swift" || name.hasPrefix("Package@swift-") && name.hasSuffix(".swift")
  }
}
