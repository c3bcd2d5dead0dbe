import CoreData
import Scheduling

// Run by CoreDataTests with the name of a case: a test runner cannot do it, since its main queue is not the main
// thread's. Prints a line for each event, and ends.

/// How long a case may take before it counts as hung.
let deadlineSeconds: UInt32 = 20
alarm(deadlineSeconds)

let item = NSEntityDescription()
item.name = "Item"
let number = NSAttributeDescription()
number.name = "number"
number.attributeType = .integer64AttributeType
number.defaultValue = 0
item.properties = [number]
let model = NSManagedObjectModel()
model.entities = [item]

let container = NSPersistentContainer(name: "Probe", managedObjectModel: model)
let description = NSPersistentStoreDescription()
description.type = NSInMemoryStoreType
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { _, error in
  if let error { print("the store could not be opened: \(error)") }
}
let context = container.viewContext

let observation = NotificationCenter.default.addObserver(
  forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
) { notification in
  func count(_ key: String) -> Int { (notification.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0 }
  print(
    "posted inserted \(count(NSInsertedObjectsKey)) updated \(count(NSUpdatedObjectsKey))",
    "deleted \(count(NSDeletedObjectsKey)) on \(Thread.isMainThread ? "main" : "another thread")")
}

func insert() {
  NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(1, forKey: "number")
}

/// A turn of the main queue.
func turn(_ name: String, _ body: @escaping @Sendable @MainActor () -> Void) {
  SerialQueue.main.async {
    MainActor.assumeIsolated {
      print("\(name) begins")
      body()
      print("\(name) ends")
    }
  }
}

func finish() { SerialQueue.main.async { exit(EXIT_SUCCESS) } }

switch CommandLine.arguments.dropFirst().first {
case "outside-blocks":
  turn("turn 1") {
    insert()
    insert()
    // Behind the pass that the first change enqueued.
    turn("turn 2") {
      insert()
      context.processPendingChanges()
      turn("turn 3") { finish() }
    }
  }

case "changed-by-observer":
  _ = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) {
    _ in insert()
  }
  turn("turn 1") {
    insert()
    // Behind the pass, so that nothing is left to be processed when it saves.
    turn("turn 2") {
      try? context.save()
      turn("turn 3") { finish() }
    }
  }

case "perform":
  turn("turn 1") {
    context.perform {
      insert()
      print("block ends")
    }
    turn("turn 2") { finish() }
  }

case "perform-and-wait":
  turn("turn 1") {
    context.performAndWait { insert() }
    turn("turn 2") {
      context.perform {}
      turn("turn 3") { finish() }
    }
  }

case "through-main":
  // background                    main
  // in A, waits for main
  //                               waits for A
  WaitForGraph.setHandler { cycle in
    print(cycle.description)
    exit(EXIT_SUCCESS)
  }
  let other = container.newBackgroundContext()
  other.name = "A"
  let main = context
  Thread { other.performAndWait { main.performAndWait { other.performAndWait {} } } }.start()

case "nested-on-main":
  // main: in main, A, main, A; no thread waits.
  let other = container.newBackgroundContext()
  let main = context
  turn("turn 1") {
    main.performAndWait {
      other.performAndWait {
        main.performAndWait { other.performAndWait { print("inline on \(Thread.isMainThread ? "main" : "another")") } }
      }
    }
  }
  finish()

case "from-background":
  let thread = Thread {
    context.performAndWait {
      insert()
      print("block on \(Thread.isMainThread ? "main" : "another thread")")
    }
    context.perform { finish() }
  }
  thread.start()

case "off-queue":
  let background = container.newBackgroundContext()
  background.name = "importer"
  _ = background.hasChanges
  print("went on")
  finish()

case "snapshots":
  try countSnapshots()
  finish()

case "no-room-for-threads":
  // Less than the stack of one more thread is left.
  let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first
  let room = UInt(pages.flatMap { UInt($0) } ?? 0) * UInt(getpagesize()) + 4 << 20
  var limit = rlimit(rlim_cur: room, rlim_max: room)
  setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  container.newBackgroundContext().perform { print("a thread was made") }

case "undo-groups":
  let manager = UndoManager()
  context.undoManager = manager
  turn("turn 1") {
    insert()
    context.processPendingChanges()
    insert()
    print("groups \(manager.undoCount) level \(manager.groupingLevel)")
    turn("turn 2") {
      print("groups \(manager.undoCount) level \(manager.groupingLevel)")
      insert()
      turn("turn 3") {
        print("groups \(manager.undoCount) level \(manager.groupingLevel)")
        context.undo()
        print("objects \(context.insertedObjects.count)")
        context.undo()
        print("objects \(context.insertedObjects.count)")
        finish()
      }
    }
  }

case "undo-manager-alone":
  let manager = UndoManager()
  turn("turn 1") {
    for _ in 0..<2 { manager.registerUndo(withTarget: context) { _ in print("undone") } }
    print("level \(manager.groupingLevel)")
    turn("turn 2") {
      print("level \(manager.groupingLevel) groups \(manager.undoCount)")
      manager.undo()
      finish()
    }
  }

case "killed-in-save":
  // PATH SYNCHRONOUS PLACE: saves one row at a time, says which, and is killed inside a save at that place.
  let arguments = CommandLine.arguments
  let store = NSPersistentStoreDescription(url: URL(fileURLWithPath: arguments[2]))
  store.setValue(arguments[3] as NSString, forPragmaNamed: "synchronous")
  let saver = NSPersistentContainer(name: "Saver", managedObjectModel: model)
  saver.persistentStoreDescriptions = [store]
  saver.loadPersistentStores { _, error in
    if let error { print("the store could not be opened: \(error)") }
  }
  let rowsMax: Int64 = 20
  for value in 1...rowsMax + 1 {
    let isLast = value > rowsMax
    Checkpoint.watching({ place, _ in if isLast, place.name == arguments[4] { kill(getpid(), SIGKILL) } }) {
      let background = saver.newBackgroundContext()
      background.performAndWait {
        NSEntityDescription.insertNewObject(forEntityName: "Item", into: background).setValue(value, forKey: "number")
        do {
          try background.save()
          FileHandle.standardOutput.write(Data("saved \(value)\n".utf8))
        } catch {
          print("\(error)")
        }
      }
    }
  }

case "worker":
  // worker MODEL STORE [history]: see StoreWorker.
  StoreWorker(
    model: URL(fileURLWithPath: CommandLine.arguments[2]), store: URL(fileURLWithPath: CommandLine.arguments[3]),
    keepsHistory: CommandLine.arguments.dropFirst(4).first == "history"
  ).run()
  exit(EXIT_SUCCESS)

case "trees":
  // trees SEED
  let trees = ContextTrees(container, seed: CommandLine.arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1)
  trees.play { line in
    print(line)
    exit(EXIT_SUCCESS)
  }

default:
  FileHandle.standardError.write(Data("usage: CoreDataProbe CASE\n".utf8))
  exit(EX_USAGE)
}

MainLoop.run()
