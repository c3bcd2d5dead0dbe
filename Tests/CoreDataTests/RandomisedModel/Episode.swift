@testable import CoreData

/// One run of the stack beside the model.
struct Episode {
  /// Where the two differed.
  struct Failure: Error, CustomStringConvertible {
    let step: Int
    let operation: Operation
    let difference: String

    /// The same for failures of one kind: without the numbers of objects and contexts.
    var kind: String { difference.filter { !$0.isNumber && $0 != "," && $0 != " " } }

    var description: String { "after step \(step + 1), \(operation): \(difference)" }
  }

  let model: NSManagedObjectModel
  var world = World.family
  var mutation: ReferenceModel.Mutation?
  /// Every context and the store after each step, rather than only the step's own.
  var isThorough = false
  /// How many steps the search for a short script may take.
  var triedMax = 300_000
  /// Whether the store is compared after saves, rather than only at the end.
  var checksStore = true
  /// The object that is printed after each step that changes it.
  var watched = ProcessInfo.processInfo.environment["CONTEXTBENCH_MODEL_TEST_WATCH"].flatMap { Int($0) }

  /// Carries out steps as they are drawn, and notes them.
  func run(seed: UInt64, count: Int) -> (script: [Operation], failure: Failure?) {
    var generator = Generator(seed: seed)
    var script: [Operation] = []
    let failure = run { model in
      guard script.count < count else { return nil }
      let operation = generator.next(model)
      script.append(operation)
      return operation
    }
    return (script, failure)
  }

  /// Carries out a script; steps that make no sense are left out.
  func run(_ script: [Operation]) -> Failure? {
    var used: [Operation] = []
    return run(script, &used)
  }

  /// The same; which steps made sense.
  private func run(_ script: [Operation], _ used: inout [Operation]) -> Failure? {
    var next = 0
    var steps: [Operation] = []
    defer { used = steps }
    return run { model in
      while next < script.count {
        next += 1
        guard model.allows(script[next - 1]) else { continue }
        steps.append(script[next - 1])
        return script[next - 1]
      }
      return nil
    }
  }

  private func run(_ next: (ReferenceModel) -> Operation?) -> Failure? {
    var reference = ReferenceModel(world, mutation: mutation)
    var step = 0
    var seen = ""
    do {
      let driver = try Driver(world, model: model)
      while let operation = next(reference) {
        do {
          defer { watch(driver, reference, step, operation, &seen) }
          let answer = try driver.apply(operation)
          let isSave = if case .save = operation { true } else { false }
          if isSave { reference.versionsShown = driver.versions(operation.context) }
          let expected = reference.apply(operation)
          guard answer == expected else { throw Difference("answered \(answer), expected \(expected)") }
          if isSave { driver.mergeArrivals() }
          if case .generation(let step) = operation { try driver.compareGeneration(step, reference) }
          let forgotten = driver.forgetHistories(&reference)
          try driver.observeCaches(&reference)
          let concerned =
            isThorough || step % 16 == 0 || isSave && world.members.contains(where: \.merges)
            ? Array(reference.contexts.indices) : reference.line(operation.context).reversed() + forgotten
          for context in concerned { try driver.compare(context, &reference) }
          driver.dropReleased(&reference)
          if isSave, checksStore, isThorough || step % 4 == 0 {
            try driver.compareStore(&reference)
            try driver.compareHistory(reference)
          }
        } catch {
          return Failure(step: step, operation: operation, difference: "\(error)")
        }
        step += 1
        if step % 64 == 0 { reference.forgetTheDead() }
      }
      for context in reference.contexts.indices { try driver.compare(context, &reference) }
      try driver.compareStore(&reference)
      try driver.compareHistory(reference)
    } catch {
      return Failure(step: step, operation: .process(0), difference: "\(error)")
    }
    return nil
  }

  private func watch(
    _ driver: Driver, _ model: ReferenceModel, _ step: Int, _ operation: Operation, _ seen: inout String
  ) {
    guard let watched else { return }
    let view = driver.view(of: watched, model)
    if view != seen { print("after step \(step + 1), \(operation):\n  \(view)") }
    seen = view
  }

  /// The shortest part of a script that can be found to fail in the same way.
  func shrink(_ script: [Operation], _ failure: Failure) -> [Operation] {
    var tried = 0
    func failing(_ script: [Operation]) -> [Operation]? {
      var used: [Operation] = []
      return run(script, &used)?.kind == failure.kind ? used : nil
    }
    // Whole objects go first: a difference is about few, and takes few runs to find them.
    var script = script
    _ = Shrinker.shortest(Set(script.flatMap(\.mentioned)).sorted(), tried: &tried, triedMax: triedMax / 12) { names in
      let kept = Set(names)
      guard let used = failing(script.filter { $0.mentioned.allSatisfy(kept.contains) }) else { return nil }
      script = used
      let left = Set(used.flatMap(\.mentioned))
      return names.filter(left.contains)
    }
    tried = 0
    return Shrinker.shortest(script, tried: &tried, triedMax: triedMax, failing: failing)
  }
}
