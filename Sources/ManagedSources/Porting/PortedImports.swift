/// The modules that a file imports by name.
struct PortedImports {
  /// What Foundation has on Apple's systems only, and CoreData has here.
  private static let foundationNames: Set<String> = AmbiguousNames.classes.union([
    "NSSecureUnarchiveFromDataTransformer", "NSValueTransformerName", "UndoManager", "ValueTransformer",
    "_kvcKeyPathString",
  ])

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

  /// One declaration: where its module's name begins, and how many names there are with what follows it.
  struct Declaration {
    /// Of `import class CoreData.NSExpression`.
    let isScoped: Bool
    /// Index of the first name.
    let start: Int
    /// The module, then what is named within it.
    let path: [String]
    /// Index of the last name.
    var end: Int { start + 2 * (path.count - 1) }
  }

  private(set) var declarations: [Int: Declaration] = [:]
  private let modules: Set<String>
  private let usesFoundationNames: Bool

  /// Whether the file imports CoreData, and another module that may bring Foundation.
  var areAmbiguous: Bool { modules.contains("CoreData") && modules.count > 1 || lacksCoreData }

  /// Whether what the file uses of Foundation is in CoreData here, which it does not import.
  var lacksCoreData: Bool {
    usesFoundationNames && modules.contains("Foundation") && !modules.contains("CoreData") && isWithCoreData
  }

  /// Whether other files of the module import CoreData.
  private let isWithCoreData: Bool

  init(_ tokens: [Token], isWithCoreData: Bool) {
    self.isWithCoreData = isWithCoreData
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
    usesFoundationNames = tokens.contains { $0.isName && Self.foundationNames.contains($0.text) }
  }
}

extension Porter {
  /// What is wrong with an import, or its edit: submodules are the modules' own here. Returns the index behind it.
  mutating func importing(_ declaration: PortedImports.Declaration) -> Int {
    let module = declaration.path[0]
    let (first, last) = (tokens[declaration.start], tokens[declaration.end])
    var text = ""
    if !declaration.isScoped, declaration.path.count > 1, PortedImports.modulesWithParts.contains(module) {
      text = module
    }
    if module == "Foundation", !declaration.isScoped, imports.lacksCoreData, !isCoreDataImported {
      text = module + "; import CoreData"
      isCoreDataImported = true
    }
    if !text.isEmpty { edits.append(Edit(range: first.range.lowerBound..<last.range.upperBound, text: text)) }
    if PortedImports.appleModules.contains(module) {
      problem(
        first,
        "Linux has no module \(module). Leave the file out, or put what needs it between #if canImport(\(module)) and #endif."
      )
    }
    return declaration.end + 1
  }
}
