import Scheduling

/// Releases what released objects held, one object after the other.
///
/// An object that goes takes others along that only it held, these take others, and so on: as calls within calls that
/// would need stack for each object of a chain.
enum RelationRelease {
  /// What a thread still has to release.
  private typealias Pending = ContiguousArray<ContiguousArray<Relation>>

  /// Releases what an object held. Inside such a call, which is when that object was held by another one, it is left to
  /// the outermost call.
  static func release(_ relations: inout ContiguousArray<Relation>) {
    var own: ContiguousArray<Relation> = []
    swap(&own, &relations)
    if let outer = ThreadRecord.releases {
      outer.assumingMemoryBound(to: Pending.self).pointee.append(own)
      return
    }
    var pending: Pending = [own]
    own = []
    withUnsafeMutablePointer(to: &pending) { pending in
      ThreadRecord.releases = UnsafeMutableRawPointer(pending)
      while var next = pending.pointee.popLast() { next.removeAll() }
      ThreadRecord.releases = nil
    }
  }
}
