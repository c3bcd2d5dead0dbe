import CoreData
import NotebookModel
enum Benchmark { static func run(_ c: NSManagedObjectContext) throws {} }
