/// Lets a task go on as long as it can, and then whoever was made first.
package struct FIFOPolicy: SchedulePolicy {
  package let name = "fifo"

  package init() {}

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int { current ?? 0 }
}
