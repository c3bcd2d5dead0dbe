/// The mistake of a careless screen with the changes that its delegate receives.
enum ScreenLapse: String {
  /// Takes the controller's list at the first change, which is the new one already, and makes the changes in it once more.
  case takesNewList
  /// Lets every change pass.
  case isDeaf = "deaf screen"
  /// Draws no row anew that was changed.
  case dropsUpdates = "screen without updates"
  /// Leaves out what comes.
  case dropsInserts = "screen without inserts"
  /// Puts what comes far below its place.
  case misplacesInserts = "misplacing screen"
  /// Forgets its list before it makes the changes.
  case forgetsList = "forgetful screen"
}
