extension Arrangement {
  /// Those of the shipped strategies.
  static let shipped: [String: Arrangement] = [
    "notification-merge": notificationMerge,
    "parent-child": parentChild,
    "single-background-writer": singleBackgroundWriter,
    "main-only": mainOnly,
    "nested-writer": nestedWriter,
    "background-task": backgroundTask,
    "thread-confinement": threadConfinement,
    "dedicated-thread": dedicatedThread,
    "coordinator-per-thread": coordinatorPerThread,
  ]
}
