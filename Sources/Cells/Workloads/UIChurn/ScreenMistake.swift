/// The mistake of a careless screen with the changes that its delegate receives.
enum ScreenMistake: String {
  /// Takes the controller's list at the first change, which is the new one already, and makes the changes in it once more.
  case takesNewList
  /// Lets every change pass.
  case isDeaf = "deaf screen"
  /// Draws no row anew that was changed.
  case dropsUpdates = "screen without updates"
  /// Leaves out inserted objects.
  case dropsInserts = "screen without inserts"
  /// Puts inserted objects far below their places.
  case misplacesInserts = "misplacing screen"
  /// Forgets its list before it makes the changes.
  case forgetsList = "forgetful screen"
}
