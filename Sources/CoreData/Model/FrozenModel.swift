/// Refuses changes of a model in use.
enum FrozenModel {
  /// Called in the place of ending the process, so that tests can try every setter in one.
  @TaskLocal static var onRefusal: (@Sendable () -> Void)?

  static func refuseChange() {
    if let onRefusal { return onRefusal() }
    preconditionFailure("the model is in use; change it before a coordinator or context gets it, or change its copy()")
  }
}
