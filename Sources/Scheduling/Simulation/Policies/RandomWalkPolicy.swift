/// Chooses every ready task with the same probability, at every step anew.
package struct RandomWalkPolicy: SchedulePolicy {
  package let name = "random-walk"
  private var random: SeededRandom

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    ready.count == 1 ? 0 : Int.random(in: ready.indices, using: &random)
  }
}
