import Checking
import Foundation
import Testing

@testable import Runs

/// The code of each remedy, as it is printed, is compiled as a reader's program would have it.
struct RemedyTests {
  /// The declarations that a reader's program has already.
  private static let program = """
    import CoreData
    import Foundation

    class Owner: NSManagedObject {}
    class Note: NSManagedObject {
      @nonobjc class func fetchRequest() -> NSFetchRequest<Note> { NSFetchRequest(entityName: "Note") }
      var title: String { get { value(forKey: "title") as! String } set { setValue(newValue, forKey: "title") } }
      var isPinned: Bool { get { value(forKey: "isPinned") as! Bool } set { setValue(newValue, forKey: "isPinned") } }
      var owner: Owner? { get { value(forKey: "owner") as! Owner? } set { setValue(newValue, forKey: "owner") } }
    }
    class Word: NSManagedObject {
      var note: Note? { get { value(forKey: "note") as! Note? } set { setValue(newValue, forKey: "note") } }
    }
    class Counter: NSManagedObject {
      var value: Int { get { value(forKey: "value") as! Int } set { setValue(newValue, forKey: "value") } }
    }
    class Shift: NSManagedObject {
      var revision: Int { get { value(forKey: "revision") as! Int } set { setValue(newValue, forKey: "revision") } }
    }
    class Doctor: NSManagedObject {
      var isOnCall: Bool { get { value(forKey: "isOnCall") as! Bool } set { setValue(newValue, forKey: "isOnCall") } }
    }

    func handOver(_ id: NSManagedObjectID) {}
    func show(_ title: String) {}
    func show(_ error: any Error) {}
    func report(_ error: any Error) {}
    func reload(_ ids: [NSManagedObjectID]) {}
    func retryOneByOne(_ batch: [Note]) {}
    func compare(_ notes: [Note], _ others: [Note]) {}
    func use(_ ids: [NSManagedObjectID]) {}
    func refreshList() {}
    func insert(_ row: [String: Any], into context: NSManagedObjectContext) {}
    func export(_ notes: [Note]) throws {}
    func mergeHistory(after token: NSPersistentHistoryToken?) throws -> NSPersistentHistoryToken? { token }

    """

  /// The values at the reader's hand, by type: the parameters of the function that has the remedy.
  private static let given = [
    "NSPersistentContainer": ["container"],
    "NSPersistentStoreCoordinator": ["coordinator"],
    "NSPersistentStoreDescription": ["description"],
    "NSManagedObjectContext": ["context", "main", "background", "child", "writer", "reader"],
    "NSManagedObjectID": ["id", "ownerID"],
    "[NSManagedObjectID]": ["ids"],
    "NSFetchRequest<Note>": ["request", "a", "b"],
    "NSEntityDescription": ["entity"],
    "NSRelationshipDescription": ["words", "owner"],
    "[NSPersistentHistoryTransaction]": ["transactions"],
    "inout NSPersistentHistoryToken?": ["token"],
    "NotificationCenter": ["center"], "Notification": ["notification"], "Notification.Name": ["name"],
    "inout (any NSObjectProtocol)?": ["observer"],
    "Note": ["note", "newNote"], "Word": ["word"], "Counter": ["counter"], "Shift": ["shift"], "Doctor": ["doctor"],
    "[Note]": ["batch"], "[[String: Any]]": ["rows"], "String": ["title"], "URL": ["url", "source", "destination"],
    "Int": ["count"], "inout Int": ["imported"],
  ]

  /// A remedy as a part of the program: in a class where it is a member of one, else in a function.
  private static func compilable(_ kind: ViolationKind) -> String {
    let code = kind.explanation.code.replacing("…", with: "")
    let name = kind.rawValue.replacing("-", with: "_")
    switch kind {
    case .observerLeak:
      return """
        final class \(name) {
          let observer: any NSObjectProtocol
          init(_ observer: any NSObjectProtocol) { self.observer = observer }
          \(code)
        }
        """
    case .controllerDivergence:
      return """
        final class \(name): NSObject, NSFetchedResultsControllerDelegate {
          var list: [NSManagedObjectID] = []
          \(code)
        }
        """
    default:
      let words = Set(code.matches(of: /\w+/).map { String($0.output) })
      let parameters = given.flatMap { type, names in
        names.filter(words.contains).map { "_ \($0): \(type)" }
      }
      let effects = code.contains("await ") ? "async throws" : "throws"
      return "func \(name)(\(parameters.sorted().joined(separator: ", "))) \(effects) {\n\(code)\n}\n"
    }
  }

  /// The compiler's errors in the program with more code; nothing where it compiles.
  private static func errors(with code: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("remedies-\(UUID().uuidString).swift")
    try (program + code).write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let build = Bundle.main.bundleURL
    let sources = URL(fileURLWithPath: #filePath).appending(path: "../../../../Sources").standardized.path
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      // As far as the last diagnosis: -typecheck leaves out those of flow, such as a value that is not set on each path.
      "swiftc", "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", "6", "-suppress-warnings",
      "-I", build.appending(path: "Modules").path, "-I", sources + "/CSQLite", "-I", sources + "/CZlib",
      "-Xcc", "-fmodule-map-file=" + build.appending(path: "CRuntime.build/module.modulemap").path, file.path,
    ]
    let output = Pipe()
    compiler.standardError = output
    try compiler.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? "" : "exit \(compiler.terminationStatus)\n\(text)"
  }

  @Test func everyRemedyCompiles() throws {
    #expect(try Self.errors(with: ViolationKind.allCases.map(Self.compilable).joined(separator: "\n")) == "")
  }

  @Test func whatTheStackDoesNotHaveDoesNotCompile() throws {
    let errors = try Self.errors(with: "func wrong(_ context: NSManagedObjectContext) { context.mergeEverything() }")
    #expect(errors.contains("has no member 'mergeEverything'"))
  }
}
