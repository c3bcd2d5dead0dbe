/// All stand-ins.
package enum StandInCatalogue {
  package static let all: [StandIn] = [.oneSidedInverse, .lostSave] + StandIn.damagedFiles
}
