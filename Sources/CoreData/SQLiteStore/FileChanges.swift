/// The files of large values that the save under way wrote, and those that nobody needs once it is committed.
///
/// Only used in the writer's turn.
final class FileChanges: @unchecked Sendable {
  // Sendable: its store's writer uses it, in its turn.

  /// Nil for a store in memory, which keeps large values in its rows.
  let folder: ExternalFolder?
  private var new: [String] = []
  private var old: Set<String> = []

  init(_ folder: ExternalFolder?) { self.folder = folder }

  /// Writes a value into a file of its own; nil where it stays in its row.
  func write(_ data: Data) throws -> ExternalData? {
    guard let folder, data.count > ExternalFolder.largestInRow else { return nil }
    let name = try folder.write(data)
    new.append(name)
    return ExternalData(name: name, folder: folder)
  }

  /// A row gives up the value.
  func giveUp(_ slot: Slot?) {
    if case .boxed(let box)? = slot, let data = box.value as? ExternalData { old.insert(data.name) }
  }

  /// The save failed: what it wrote is taken away.
  func undo() {
    for name in new { folder?.remove(name) }
    forget()
  }

  /// The save is committed: what nobody refers to any more is taken away.
  func finish() {
    for name in old { folder?.remove(name) }
    forget()
  }

  private func forget() {
    if !new.isEmpty { new = [] }
    if !old.isEmpty { old = [] }
  }
}
