import CPeer
import Foundation

/// The timed workloads.
enum Workload: String, CaseIterable {
  case importOnce = "import"
  case importOften = "import-100"
  case importGoingOn = "import-go-on"
  case importPushed = "import-pushed"
  case importNested = "import-nested"
  case firstFetch = "first-fetch"
  case fetch
  case firstFetchByKey = "first-fetch-by-key"
  case fetchByKey = "fetch-by-key"
  case values
  case lookUp = "look-up"
  case cachedFault = "cached-fault"
  case fileFault = "file-fault"
  case update
  case updateByText = "update-by-text"
  case delete
  case deleteFetched = "delete-fetched"
  case deleteByText = "delete-by-text"
  case deleteHalf = "delete-half"
  case besideReader = "beside-reader"
  case merge
  case mergeByText = "merge-by-text"

  var meaning: String {
    switch self {
    case .importOnce: "import 21,000 rows, one save"
    case .importOften: "import, save and reset every 105 rows"
    case .importGoingOn: "import, save and reset every 100 rows, going on with the note"
    case .importPushed: "import through a child; its parent saves every 504 rows"
    case .importNested: "import through a child of a child, with permanent IDs; the root saves every 504 rows"
    case .firstFetch: "first fetch of 20,000 sorted by a text, all attributes read"
    case .fetch: "the same fetch a second time"
    case .firstFetchByKey: "first fetch of 20,000 in the order of their keys, all attributes read"
    case .fetchByKey: "the same fetch a second time"
    case .values: "the fetch by a text a second time, into values: no objects"
    case .lookUp: "registered object by ID and one attribute, random order"
    case .cachedFault: "fault from the row cache and one attribute"
    case .fileFault: "fault from the file and one attribute"
    case .update: "update 20,000 in the order of their keys, one save"
    case .updateByText: "update 20,000 in the order of a text, one save"
    case .delete: "delete 1,000 with cascade to 20,000"
    case .deleteFetched: "fetch 1,000 and delete them with cascade to 20,000"
    case .deleteByText: "the same in the order of a text"
    case .deleteHalf: "delete every second one of them"
    case .besideReader: "update 20,000, save every 100, beside a reader"
    case .merge: "update 20,000 in the background, merged into another context"
    case .mergeByText: "the same in the order of a text"
    }
  }

  /// Whether it begins with a store without rows.
  var isImport: Bool { [.importOnce, .importOften, .importGoingOn, .importPushed, .importNested].contains(self) }

  /// The number of units, for nanoseconds of each.
  func units(_ rows: Rows) -> Int {
    switch self {
    case _ where isImport: rows.count
    case .delete, .deleteFetched, .deleteByText: rows.count
    case .deleteHalf: rows.everySecondNote.count * (1 + rows.wordsPerNote)
    default: rows.words.count
    }
  }
}

/// One way to do the workloads.
protocol Peer: Sendable {
  var name: String { get }

  /// Seconds of the measured part; nil for what it cannot do.
  ///
  /// - Parameter file: a copy of the store that the workload begins with, in a folder of its own.
  func run(_ workload: Workload, on file: URL, _ rows: Rows) throws -> Double?
}

/// Notes in each save of the import that saves often.
let notesPerSmallSave = 5

/// Notes in each save of the imports through children.
let notesPerPush = 24

/// Rows in each save of the import that saves amid the words of a note.
let rowsPerSave = 100

/// Words in each save of the update that saves often.
let wordsPerSmallSave = 100

struct Failure: Error, CustomStringConvertible {
  let description: String
}

func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw Failure(description: message()) }
}

func now() -> Double { cpeer_now() }
