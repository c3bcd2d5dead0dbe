import Measuring

/// All latencies of one operation in one phase on one kind of thread, as one process of a cell hands them to another.
package struct RecordedLatencies: Codable, Sendable {
  package var phase: String
  package var operation: String
  /// Whether latencies count from the instant at which an operation was due.
  package var isFromDue: Bool
  package var role: ThreadRole
  package var latencies: LatencyRecorder

  /// Hands latencies over.
  package init(phase: String, operation: String, isFromDue: Bool, role: ThreadRole, latencies: LatencyRecorder) {
    self.phase = phase
    self.operation = operation
    self.isFromDue = isFromDue
    self.role = role
    self.latencies = latencies
  }
}
