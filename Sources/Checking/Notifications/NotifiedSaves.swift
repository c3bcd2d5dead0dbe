/// The changes that DidSave notifications reported, in the order in which they came.
struct NotifiedSaves {
  /// The change of a row by a notification; raw values are those of `notified` records.
  enum Change: Int64 {
    case insert = 1
    case update
    case delete
  }

  /// One thing that one notification said of a row.
  struct Event {
    var change: Change
    /// Step of the notification.
    var step: Int
    /// Step at which its save began.
    var begin: Int
  }

  /// A notification that is wrong as such.
  struct Finding {
    var context: String
    var step: Int
  }

  /// Notifications that came after their save began, once each.
  private(set) var saveCount = 0
  /// By entity and primary key; without those of doubled notifications.
  private(set) var rows: [UInt16: [Int64: [Event]]] = [:]
  /// Notifications that say the same as the one before of their context, without a save of it between.
  private(set) var doubled: [Finding] = []
  /// Other notifications without a save.
  private(set) var strays: [Finding] = []

  private struct Notification {
    /// The context as a number of its own.
    var identity: Int64
    var context: UInt32
    var step: Int
    var begin: Int?
    var items: [Operation] = []
  }

  private var latest: [Int64: [Operation]] = [:]
  private var begun: [Int64: Int] = [:]
  private var current: [UInt32: Notification] = [:]
  private let history: History

  init(_ history: History) {
    self.history = history
    for (step, operation) in history.operations.enumerated() {
      switch operation.function {
      case .willSave:
        finish(operation.process)
        begun[operation.key] = step
      case .didSave:
        finish(operation.process)
        current[operation.process] = Notification(
          identity: operation.key, context: operation.context, step: step,
          begin: begun.removeValue(forKey: operation.key))
      case .notified: current[operation.process]?.items.append(operation)
      default: continue
      }
    }
    for process in Array(current.keys) { finish(process) }
  }

  /// Applies a notification after its last record.
  private mutating func finish(_ process: UInt32) {
    guard let notification = current.removeValue(forKey: process) else { return }
    let said = notification.items.map { item in
      var item = item
      item.time = 0
      return item
    }
    guard let begin = notification.begin else {
      let finding = Finding(context: history.contextName(notification.context), step: notification.step)
      if latest[notification.identity] == said { doubled.append(finding) } else { strays.append(finding) }
      return
    }
    precondition(begin < notification.step, "a save begins before it is reported")
    latest[notification.identity] = said
    saveCount += 1
    for item in said {
      guard let change = Change(rawValue: item.value) else { continue }
      for key in item.keys {
        rows[item.entity, default: [:]][key, default: []].append(
          Event(change: change, step: notification.step, begin: begin))
      }
    }
  }
}
