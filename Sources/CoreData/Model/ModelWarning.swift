/// What is said of a model that can be used all the same.
enum ModelWarning {
  /// Writes a line to standard error.
  static func write(_ sentence: String) {
    FileHandle.standardError.write(Data("CoreData: warning: \(sentence)\n".utf8))
  }
}
