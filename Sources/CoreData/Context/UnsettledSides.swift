import RowStore

// Both sides of a relationship are changed together. A refresh drops the changes of one object only, and a newer row comes
// under those of one object: the next save makes both sides say the same again.

/// Work left by unsaved changes of relationships, to be done before they are saved.
struct UnsettledSides {
  /// Whether one side of a relationship may have unsaved changes that the other lost, or never had.
  var sidesMayDiffer = false
  /// Whether that may be so of one-to-one relationships only: a newer row has come under an unsaved move, or an older one
  /// was moved.
  var partnersMayDiffer = false
  /// Objects with an unsaved move of a one-to-one relationship under which a newer row has come, until they are settled.
  var movedPartners: ContiguousArray<NSManagedObject> = []
  /// Whether members may have come and gone without a change of their owners: those have dropped it, or a newer row has come
  /// under an unsaved move.
  var ownersMayDiffer = false
  /// Whether any of these may be so.
  var mayDiffer: Bool { sidesMayDiffer || partnersMayDiffer || ownersMayDiffer }
  /// Deleted objects that got a newer row after their delete rules were followed, or are led to by one that did: others may
  /// lead to them now.
  var overtakenDeletions: ContiguousArray<NSManagedObject> = []
  /// Deletions that a deny rule forbids, found while rules were followed; the next save reports them.
  var denied: [DeniedDelete] = []
}
