// Linux's Foundation has `IndexPath` without the names that AppKit and UIKit give its two indexes, and the code of a
// controller's delegate is written with these.

extension IndexPath {
  /// The path of an item in a section.
  public init(item: Int, section: Int) { self = [section, item] }

  /// The path of a row in a section.
  public init(row: Int, section: Int) { self = [section, row] }

  /// The first index.
  ///
  /// - Precondition: the path has one.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// The second index.
  ///
  /// - Precondition: the path has two.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The second index.
  ///
  /// - Precondition: the path has two.
  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
