/// What the processes of a cell tell each other; JSON behind its length in four bytes.
enum PeerMessage: Codable, Equatable, Sendable {
  /// The sender has come to the meeting of this number, from 0.
  case arrived(meeting: Int)
  /// All have come to it.
  case proceed(meeting: Int)
  /// A context of the sender has saved to the file.
  case saved(RemoteSave)
}
