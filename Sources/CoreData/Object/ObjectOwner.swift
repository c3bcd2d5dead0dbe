/// The owner of an object, which keeps its entity alive; as large as a reference.
enum ObjectOwner {
  /// Nothing, before the object comes into a context or has values.
  case none
  /// The identity map that lists it: the object has a context.
  case context(ObjectRegistry)
  /// The identity map it was in until it lost its context, from which its ID can still be made.
  case former(ObjectRegistry)
  /// The model of an object with values that was in no context.
  case model(NSManagedObjectModel)

  /// The identity map that lists the object.
  @inline(__always)
  var registry: ObjectRegistry? { if case .context(let registry) = self { registry } else { nil } }

  /// The identity map that knows the object's store.
  var registryOfID: ObjectRegistry? {
    switch self {
    case .context(let registry), .former(let registry): registry
    case .none, .model: nil
    }
  }
}
