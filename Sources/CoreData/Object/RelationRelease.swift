import Scheduling

/// Releases the contents of released objects, one object after the other.
///
/// An object that goes takes others along that only it held, these take others, and so on: as calls within calls that
/// would need stack for each object of a chain.
enum RelationRelease {
  /// Relations that a thread still has to release.
  private typealias Pending = ContiguousArray<Relations>

  /// Releases the contents of an object. Inside such a call, which is when that object was held by another one, it is left to
  /// the outermost call.
  static func release(_ relations: inout Relations) {
    var own = Relations.unread
    swap(&own, &relations)
    if let outer = ThreadRecord.releases {
      outer.assumingMemoryBound(to: Pending.self).pointee.append(own)
      return
    }
    var pending: Pending = [own]
    own = .unread
    withUnsafeMutablePointer(to: &pending) { pending in
      ThreadRecord.releases = UnsafeMutableRawPointer(pending)
      while let next = pending.pointee.popLast() { _ = consume next }
      ThreadRecord.releases = nil
    }
  }
}
