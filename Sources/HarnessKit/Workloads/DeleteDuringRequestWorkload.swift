/// A request holds an object's ID, the object is deleted meanwhile, the response uses it.
package final class DeleteDuringRequestWorkload: Workload {
  package static let name = "delete-during-request"
  package static let summary = "Objects are deleted before, during and after the requests that use them."
  package static let hasFloor = false
}
