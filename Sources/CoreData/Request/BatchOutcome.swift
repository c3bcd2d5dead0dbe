/// What a batch request did, for its result.
struct BatchOutcome {
  var count = 0
  /// Empty unless IDs were asked for.
  var objectIDs: [NSManagedObjectID] = []
}
