import Foundation

/// The cost of a row in stores of one size; several processes show whether it stays the same as rows grow more.
///
/// `scripts/speed --linear` runs one for each workload and size, and compares.
enum Linear {
  /// Rows of the measured rounds together, so that small stores are measured more often.
  private static let rowsMeasured = 600_000
  private static let roundsMin = 2
  private static let roundsMax = 10

  /// - Parameter isOneOwner: whether all words belong to one note, as its members.
  static func run(_ workload: Workload, words count: Int, isOneOwner: Bool, in folder: URL) throws {
    let wordsPerNote = isOneOwner ? count : min(20, count)
    let files = try Files(folder, Rows(notes: count / wordsPerNote, wordsPerNote: wordsPerNote))
    var seconds: [String: [Double]] = [:]
    let peers: [any Peer] = [CFloorPeer(), StackPeer()]
    for _ in 0..<min(max(rowsMeasured / count, roundsMin), roundsMax) {
      for peer in peers {
        let file = try files.copy(of: workload)
        defer { files.remove(file) }
        guard let time = try peer.run(workload, on: file, files.rows) else { continue }
        seconds[peer.name, default: []].append(time)
      }
    }
    for peer in peers {
      // Disturbances only add time.
      guard let least = seconds[peer.name]?.min() else { continue }
      print(peer.name, String(format: "%.1f", least * 1e9 / Double(workload.units(files.rows))))
    }
  }
}
