// Key-value coding of Foundation's collections, which Foundation has on Apple's systems only.

extension NSArray {
  /// The elements' values for the key, `NSNull` for nil; of an operator such as `@count` its result.
  public final func value(forKey key: String) -> Any { KeyValuePath.value(self, key[...]) ?? NSNull() }

  /// The elements' values at the end of the path, or the result of an operator, `@sum.price`.
  public final func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(self, keyPath[...]) }

  /// Sets the value of every element.
  public final func setValue(_ value: Any?, forKey key: String) { KeyValuePath.set(value, self, key) }
}

extension NSSet {
  /// The elements' values for the key, without nil; of an operator such as `@count` its result.
  public final func value(forKey key: String) -> Any { KeyValuePath.value(self, key[...]) ?? NSNull() }

  /// The elements' values at the end of the path, or the result of an operator, `@sum.price`.
  public final func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(self, keyPath[...]) }

  /// Sets the value of every element.
  public final func setValue(_ value: Any?, forKey key: String) { KeyValuePath.set(value, self, key) }
}

extension NSOrderedSet {
  /// The elements' values for the key, `NSNull` for nil; of an operator such as `@count` its result.
  public final func value(forKey key: String) -> Any { KeyValuePath.value(self, key[...]) ?? NSNull() }

  /// The elements' values at the end of the path, or the result of an operator, `@sum.price`.
  public final func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(self, keyPath[...]) }

  /// Sets the value of every element.
  public final func setValue(_ value: Any?, forKey key: String) { KeyValuePath.set(value, self, key) }
}
