@testable import CoreData

/// A context with a query generation, beside those that the model has.
final class GenerationReader {
  let context: NSManagedObjectContext
  /// The model when the generation was first read.
  fileprivate var model: ReferenceModel?
  /// Faults of the generation, some fired.
  fileprivate var held: [NSManagedObject] = []

  init(_ stack: TestStack) throws {
    context = stack.context("generation")
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
  }

  /// Goes to another generation, if the step does.
  ///
  /// - Parameter last: the last save that was notified of.
  func move(_ step: GenerationStep, last: Notification?) throws {
    try context.performAndWait {
      switch step {
      case .current: try context.setQueryGenerationFrom(.current)
      case .reset: context.reset()
      case .merge:
        let source = last?.object as? NSManagedObjectContext
        guard let last, source?.persistentStoreCoordinator === context.persistentStoreCoordinator,
          source?.parent == nil
        else { return }
        context.mergeChanges(fromContextDidSave: last)
      case .hold, .fire, .look: return
      }
      // Objects that keep their values are of the old generation.
      held = []
      context.refreshAllObjects()
      model = nil
    }
  }
}

extension Driver {
  /// Reads from the generation, which is as the store was when it was first read, whatever was saved since.
  func compareGeneration(_ step: GenerationStep, _ now: ReferenceModel) throws {
    guard let generation, [.hold, .fire, .look].contains(step) else { return }
    var model = now.mutation == .generationsMove ? now : generation.model ?? now
    do {
      switch step {
      case .hold:
        try generation.context.performAndWait {
          generation.held = try AtlasSchema.entities.flatMap {
            try generation.context.fetch(NSFetchRequest<NSManagedObject>(entityName: $0.name))
          }
          let names = Set(try generation.held.map(name))
          if names != Set(model.store.keys) { throw Difference("rows are \(names), expected \(model.store.keys)") }
        }
      case .fire:
        guard !generation.held.isEmpty else { return }
        try generation.context.performAndWait {
          for object in generation.held {
            object.willAccessValue(forKey: nil)
            try compareRow(object, name(of: object), model)
          }
        }
      default: try compareStore(in: generation.context, &model)
      }
    } catch let difference as Difference { throw Difference("generation: \(difference)") }
    generation.model = model
  }
}
