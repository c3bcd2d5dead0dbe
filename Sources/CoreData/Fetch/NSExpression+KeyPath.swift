extension NSExpression {
  /// An expression for the value at a Swift key path.
  ///
  /// - Precondition: the path leads to a property of the model, or its parts are stored properties of Swift. Of a class of
  ///   managed objects a coordinator uses the model.
  public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
    self.init(.keyPath(KeyPathProbe.name(of: keyPath, from: Root.self)))
  }
}
