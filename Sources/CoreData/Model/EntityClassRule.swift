/// How an entity finds the class of its objects.
enum EntityClassRule: Sendable {
  /// The class that it names; the model cannot be used without it.
  case named
  /// The class that it names, or `NSManagedObject` where there is none: as for models read from files.
  case namedOrPlain
  /// `NSManagedObject`, whatever it names: where a model is only looked at.
  case plain
}
