import CoreData
import NotebookModel

// Without arguments: uses every kind of property once and says what it found. With `bench`: what a typed read costs.

let container = NSPersistentContainer(name: "Notebook", managedObjectModel: NotebookModel.make())
let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { _, error in
  if let error { preconditionFailure("the store cannot be opened: \(error)") }
}

if CommandLine.arguments.dropFirst().first == "bench" {
  try Benchmark.run(container.viewContext)
} else {
  try Walkthrough.run(container)
}
