/// How much each aspect matters to who asks; the sum does not matter.
package struct RecommendationWeights: Sendable, Hashable {
  package var mainThread: Double
  package var throughput: Double
  package var memory: Double
  package var safety: Double

  package init(mainThread: Double = 1, throughput: Double = 1, memory: Double = 1, safety: Double = 1) {
    self.mainThread = mainThread
    self.throughput = throughput
    self.memory = memory
    self.safety = safety
  }
}
