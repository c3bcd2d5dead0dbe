import Foundation

/// The peers in turn, round after round, and what came of it.
struct Rounds {
  let workloads: [Workload]
  let peers: [any Peer]
  let files: Files
  /// Of a workload and a peer, by round; the first round warms up and is left out.
  private var seconds: [String: [Double]] = [:]

  init(workloads: [Workload], peers: [any Peer], files: Files) {
    (self.workloads, self.peers, self.files) = (workloads, peers, files)
  }

  mutating func run(_ rounds: Int) throws {
    for round in 0...rounds {
      for workload in workloads {
        // Who goes first in one round goes later in the next.
        for index in peers.indices {
          let peer = peers[(index + round) % peers.count]
          let file = try files.copy(of: workload)
          defer { files.remove(file) }
          guard let time = try peer.run(workload, on: file, files.rows), round > 0 else { continue }
          seconds[key(workload, peer.name), default: []].append(time)
        }
      }
    }
  }

  private func key(_ workload: Workload, _ peer: String) -> String { "\(workload.rawValue) \(peer)" }

  /// The median and its interval of at least 95 % confidence, from the order of the values; of few values, all of them.
  static func interval(_ values: [Double]) -> (median: Double, low: Double, high: Double) {
    let sorted = values.sorted()
    let count = sorted.count
    let median = count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
    var outside = pow(0.5, Double(count))
    var (term, rank) = (outside, 0)
    while rank + 1 < count / 2 {
      term *= Double(count - rank) / Double(rank + 1)
      guard 2 * (outside + term) <= 0.05 else { break }
      outside += term
      rank += 1
    }
    return (median, sorted[rank], sorted[count - 1 - rank])
  }

  func report(_ heapBytes: Double) {
    print("ratio of time to C, round by round: median (interval); nanoseconds of each row or object beside it")
    for workload in workloads {
      print("\(workload.rawValue): \(workload.meaning)")
      for peer in peers {
        guard let own = seconds[key(workload, peer.name)] else { continue }
        let each = Self.interval(own).median * 1e9 / Double(workload.units(files.rows))
        let nanoseconds = String(format: "%8.0f ns", each)
        var ratio = ""
        if let floor = seconds[key(workload, "C")] {
          let interval = Self.interval(zip(own, floor).map { $0 / $1 })
          ratio = String(format: "%6.2f (%.2f to %.2f)", interval.median, interval.low, interval.high)
        }
        print("  \(peer.name.padding(toLength: 12, withPad: " ", startingAt: 0)) \(nanoseconds)  \(ratio)")
      }
    }
    print(String(format: "heap for a fetched object with four attributes: %.0f bytes", heapBytes))
  }

  var csv: String {
    var lines = ["workload,meaning,peer,round,seconds,ns_each"]
    for workload in workloads {
      for peer in peers {
        for (round, time) in (seconds[key(workload, peer.name)] ?? []).enumerated() {
          let each = time * 1e9 / Double(workload.units(files.rows))
          lines.append(
            "\(workload.rawValue),\"\(workload.meaning)\",\(peer.name),\(round + 1),\(time),\(String(format: "%.1f", each))"
          )
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
