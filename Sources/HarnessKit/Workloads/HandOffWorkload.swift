/// A context or an object made for one thread is used by another: the two classic mistakes, and their careful twins.
package final class HandOffWorkload: Workload {
  package static let name = "hand-off"
  package static let summary = "A context or an object is handed to another thread, wrongly or rightly."
  package static let hasFloor = false
}
