/// A fixed piece of work: it always takes as long, unless the machine is slower or busy with something else.
package enum NoiseProbe {
  /// Steps of one run: about a millisecond. Times of a debug build mean nothing, so it does not take longer for them.
  #if DEBUG
    private static let steps = 3_000
  #else
    private static let steps = 300_000
  #endif
  /// Words that the work reads and writes: more than the first cache, less than the second.
  private static let words = 1 << 14

  /// Seconds that the work took, the median of `runs`.
  package static func seconds(runs: Int = 3) -> Double {
    precondition(runs > 0, "a probe runs at least once")
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { memory in
      memory.initialize(repeating: 1)
      let times = (0..<runs).map { _ in
        let begin = MonotonicClock.now()
        work(memory)
        return Double(MonotonicClock.now() - begin) / 1e9
      }
      return Statistics.median(times) ?? 0
    }
  }

  @inline(never)
  private static func work(_ memory: UnsafeMutableBufferPointer<UInt64>) {
    precondition(memory.count == Self.words && Self.words.nonzeroBitCount == 1, "a mask draws each word of the memory")
    guard let words = memory.baseAddress else { return }
    var state: UInt64 = 88_172_645_463_325_252
    var step = 0
    while step < steps {
      state ^= state &<< 13
      state ^= state &>> 7
      state ^= state &<< 17
      words[Int(truncatingIfNeeded: state) & (Self.words - 1)] &+= state
      step &+= 1
    }
  }
}
