/// Runs a task as long as it can run, and then the one that was made first.
package struct FIFOPolicy: SchedulePolicy {
  package let name = "fifo"

  package init() {}

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int { current ?? 0 }
}
