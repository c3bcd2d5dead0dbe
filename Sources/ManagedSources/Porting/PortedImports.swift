/// The modules that a file imports by name.
package struct PortedImports {
  /// Names that Foundation has on Apple's systems only, and CoreData has here.
  static let foundationNames: Set<String> = AmbiguousNames.classes.union([
    "AutoreleasingUnsafeMutablePointer", "NSKeyValueSetMutationKind", "NSSecureUnarchiveFromDataTransformer",
    "NSValueTransformerName", "UndoManager", "ValueTransformer", "_kvcKeyPathString", "autoreleasepool",
  ])

  /// How the names of Core Data begin that no other module declares.
  private static let coreDataPrefixes = [
    "NSAddedPersistent", "NSAffected", "NSAsynchronousFetch", "NSAttributeDescription", "NSAttributeType", "NSBatch",
    "NSBinaryStore", "NSCompositeAttribute", "NSConstraintConflict", "NSCoreData", "NSDeleteRule", "NSDeletedObject",
    "NSDerivedAttribute", "NSDetailedErrors", "NSEntity", "NSErrorMerge", "NSExpressionDescription",
    "NSExternalRecord", "NSFetch", "NSInMemoryStore", "NSInferMapping", "NSInferredMapping", "NSInsertedObject",
    "NSInvalidated", "NSManagedObject", "NSMerge", "NSMigrat", "NSOverwriteMerge", "NSPersistentContainer",
    "NSPersistentHistory", "NSPersistentStore", "NSPropertyDescription", "NSQueryGeneration", "NSReadOnlyPersistent",
    "NSRefreshedObject", "NSRelationshipDescription", "NSRemovedPersistent", "NSRollbackMerge", "NSSQLite",
    "NSSaveChanges", "NSSnapshotEvent", "NSStoreModel", "NSStoreType", "NSStoreUUID", "NSUUIDChanged",
    "NSUpdatedObject", "NSValidation",
  ]

  package static func isOfCoreData(_ name: String) -> Bool {
    name.hasPrefix("NS") && coreDataPrefixes.contains(where: name.hasPrefix)
  }

  /// Modules that have submodules on Apple's systems: `import CoreData.NSManagedObject`.
  static let modulesWithParts: Set<String> = ["CoreData", "Foundation"]

  static let linuxModules: Set<String> = [
    "CoreData", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Glibc",
    "Observation", "RegexBuilder", "Swift", "Synchronization", "Testing", "XCTest",
  ]

  /// Modules that only Apple's systems have, as far as apps with Core Data use them.
  static let appleModules: Set<String> = [
    "AVFoundation", "AVKit", "ActivityKit", "AppIntents", "AppKit", "BackgroundTasks", "Charts", "CloudKit", "Cocoa",
    "Combine", "Contacts", "ContactsUI", "CoreBluetooth", "CoreGraphics", "CoreImage", "CoreLocation",
    "CoreML", "CoreMotion", "CoreServices", "CoreSpotlight", "CoreText", "Darwin", "EventKit", "HealthKit", "ImageIO",
    "Intents", "LocalAuthentication", "MapKit", "MessageUI", "MobileCoreServices", "NaturalLanguage", "Network",
    "OSLog",
    "ObjectiveC", "PDFKit", "Photos", "PhotosUI", "QuartzCore", "SafariServices", "Security", "StoreKit", "SwiftData",
    "SwiftUI", "SystemConfiguration", "UIKit", "UniformTypeIdentifiers", "UserNotifications", "Vision",
    "WatchConnectivity",
    "WatchKit", "WebKit", "WidgetKit", "os",
  ]

  private static let kinds: Set<String> = [
    "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  /// One declaration: where its module's name begins, and the number of names in its path.
  struct Declaration {
    /// Of `import class CoreData.NSExpression`.
    let isScoped: Bool
    /// Index of the first name.
    let start: Int
    /// The module, then the names within it.
    let path: [String]
    /// Index of the last name.
    var end: Int { start + 2 * (path.count - 1) }
  }

  private(set) var declarations: [Int: Declaration] = [:]
  let modules: Set<String>
  /// Whether the file uses names that CoreData has here, and does not import it.
  let lacksCoreData: Bool

  /// Whether the file imports CoreData, and another module that may bring Foundation.
  var areAmbiguous: Bool { modules.contains("CoreData") && modules.count > 1 || lacksCoreData && !modules.isEmpty }

  init(_ tokens: [Token], in module: PortedModule) {
    for (index, token) in tokens.enumerated() where token.isWord("import") && index + 1 < tokens.count {
      // Of `import class CoreData.NSExpression` the module comes after the kind.
      let isScoped = Self.kinds.contains(tokens[index + 1].text) && index + 2 < tokens.count
      let start = isScoped ? index + 2 : index + 1
      var path = [tokens[start].text]
      var next = start + 1
      while next + 1 < tokens.count, tokens[next].isMark("."), tokens[next + 1].isName {
        path.append(tokens[next + 1].text)
        next += 2
      }
      declarations[index] = Declaration(isScoped: isScoped, start: start, path: path)
    }
    modules = Set(declarations.values.compactMap(\.path.first))
    lacksCoreData = !modules.contains("CoreData") && Self.usesCoreData(tokens, modules, in: module)
  }

  /// Whether Linux compiles a name that needs CoreData: one of its own, or one that it has here in place of Foundation, where
  /// other files of the module import it.
  private static func usesCoreData(_ tokens: [Token], _ modules: Set<String>, in module: PortedModule) -> Bool {
    let isWithFoundation = module.importsCoreData && modules.contains("Foundation")
    var conditions = PortedConditions()
    for (index, token) in tokens.enumerated() {
      conditions.note(token)
      guard token.isName, !conditions.isLeftOut else { continue }
      if isWithFoundation, foundationNames.contains(token.text) { return true }
      let isMember = index > 0 && tokens[index - 1].isMark(".")
      if module.isKnown, isOfCoreData(token.text), !isMember, !module.declares(token.text) { return true }
    }
    return false
  }
}

extension Porter {
  /// Notes the problem of an import, or its edit: submodules are the modules' own here. Returns the index behind it.
  mutating func importing(_ declaration: PortedImports.Declaration) -> Int {
    let module = declaration.path[0]
    let (first, last) = (tokens[declaration.start], tokens[declaration.end])
    var text = ""
    if !declaration.isScoped, declaration.path.count > 1, PortedImports.modulesWithParts.contains(module) {
      text = module
    }
    if declaration.isScoped, module == "Foundation", declaration.path.count == 2,
      PortedImports.foundationNames.contains(declaration.path[1])
    {
      text = "CoreData." + declaration.path[1]
    }
    if imports.lacksCoreData, !isCoreDataImported, conditions.isEmpty {
      text = (text.isEmpty ? source.text(first.range.lowerBound..<last.range.upperBound) : text) + "; import CoreData"
      isCoreDataImported = true
    }
    if !text.isEmpty { edits.append(Edit(range: first.range.lowerBound..<last.range.upperBound, text: text)) }
    if PortedImports.appleModules.contains(module) {
      problem(
        first, "import \(module)",
        "Linux has no module \(module). Leave the file out, or put what needs it between #if canImport(\(module)) and #endif."
      )
    }
    return declaration.end + 1
  }

  /// Imports CoreData into a file that no import at its top level brings it into: on the empty line before the first token, or
  /// before that token.
  mutating func importCoreData() {
    var surrounding = PortedConditions()
    for (index, token) in tokens.enumerated() {
      surrounding.note(token)
      if surrounding.isEmpty, imports.declarations[index] != nil { return }
    }
    guard let first = tokens.first else { return }
    isCoreDataImported = true
    let line = source.line(at: first.range.lowerBound)
    if line > 1, source.text(source.range(ofLine: line - 1)).allSatisfy(\.isWhitespace) {
      let start = source.range(ofLine: line - 1).lowerBound
      edits.append(Edit(range: start..<start, text: "import CoreData"))
    } else if first.kind == .condition {
      problem(first, "import CoreData", "this file uses Core Data, which it does not import. Write import CoreData.")
    } else {
      edits.append(Edit(range: first.range.lowerBound..<first.range.lowerBound, text: "import CoreData; "))
    }
  }
}
