/// Numbers of what steps are done to, in the order in which it is met, so that a repeated simulation has the same numbers.
struct SimulatedResources {
  private var known: [UInt64: UInt64] = [:]
  private var count: UInt64 = 0

  /// The number of a resource that the process knows by another one; 0 for none.
  mutating func number(of resource: UInt64) -> UInt64 {
    guard resource > 0 else { return 0 }
    if let known = known[resource] { return known }
    count += 1
    known[resource] = count
    return count
  }

  /// The next one of this name in the process is another one.
  mutating func forget(_ resource: UInt64) { known[resource] = nil }
}
