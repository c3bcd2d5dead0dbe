/// Blocks that wait for blocks of other contexts, to a depth and fan-out, with work in each.
package final class NestedPerformAndWaitWorkload: Workload {
  package static let name = "nested-perform-and-wait"
  package static let summary = "performAndWait inside performAndWait across contexts, with work in each block."
  package static let hasFloor = false
}
