/// Predicates that Foundation's own initialisers make. On Linux they cannot print themselves, and equal compounds are unequal.
///
/// Foundation's initialisers cannot give an instance of a subclass, and a member of this module beside one of Foundation's is
/// ambiguous; so Foundation's classes get the methods of subclasses.
enum FoundationPredicates {
  /// Asked by whatever makes a predicate, so that it is done by then; false where the methods were not found.
  static let arePrinted: Bool = {
    let printing = install([TextProbe.self, FormatProbe.self], of: NSPredicate.self, comparedWith: PlainProbe.self) {
      entry, probe in
      MethodTable(NSPredicate.self).adopt(entry, of: probe)
      MethodTable(NSCompoundPredicate.self).adopt(entry, of: probe)
    }
    let comparing = install(
      [EqualityProbe.self, HashProbe.self], of: NSCompoundPredicate.self, comparedWith: PlainCompoundProbe.self
    ) { entry, probe in
      MethodTable(NSCompoundPredicate.self).adopt(entry, of: probe)
    }
    return printing && comparing
  }()

  private static func install(
    _ probes: [AnyClass], of base: AnyClass, comparedWith plain: AnyClass, _ adopt: (Int, MethodTable) -> Void
  ) -> Bool {
    let entries = probes.compactMap { MethodTable.overriddenEntry(of: $0, comparedWith: plain, base: base) }
    guard Set(entries).count == probes.count else { return false }
    for (entry, table) in zip(entries, probes.map(MethodTable.init)) { adopt(entry, table) }
    return true
  }

  // Unoptimised: a probe's method runs for instances of other classes than the compiler sees.

  @inline(never) @_optimize(none)
  fileprivate static func text(of predicate: NSPredicate) -> String { PredicateText.text(of: predicate) }

  @inline(never) @_optimize(none)
  fileprivate static func areEqual(_ predicate: NSCompoundPredicate, _ object: Any?) -> Bool {
    guard let other = object as? NSCompoundPredicate else { return false }
    return other === predicate
      || predicate.compoundPredicateType == other.compoundPredicateType
        && predicate.subpredicates == other.subpredicates
  }
}

// Each overrides one method, so that its table differs in that method's entry.

private final class PlainProbe: NSPredicate {}

private final class TextProbe: NSPredicate {
  override var description: String { FoundationPredicates.text(of: self) }
}

private final class FormatProbe: NSPredicate {
  override var predicateFormat: String { FoundationPredicates.text(of: self) }
}

private final class PlainCompoundProbe: NSCompoundPredicate {}

private final class EqualityProbe: NSCompoundPredicate {
  override func isEqual(_ object: Any?) -> Bool { FoundationPredicates.areEqual(self, object) }
}

private final class HashProbe: NSCompoundPredicate {
  override var hash: Int { FoundationPredicates.text(of: self).hashValue }
}
