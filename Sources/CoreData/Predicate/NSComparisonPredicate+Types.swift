extension NSComparisonPredicate {
  /// How texts are compared; raw values are Apple's.
  public struct Options: OptionSet, Sendable {
    /// Apple's raw value.
    public let rawValue: UInt

    /// Makes options from Apple's raw value.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// `[c]`: upper and lower case are the same.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`: letters are the same with and without diacritics.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`: the texts are known to be normalised; code points are compared.
    public static let normalized = Options(rawValue: 4)
    /// `[l]`: read and printed; texts are compared without a locale.
    static let localeSensitive = Options(rawValue: 8)
  }

  /// The subject of a comparison: a value, or the elements of a collection; raw values are Apple's.
  public enum Modifier: UInt, Sendable {
    /// About the value itself.
    case direct = 0
    /// Of all elements; true for an empty collection.
    case all = 1
    /// Of any element.
    case any = 2
  }

  /// The comparisons; raw values are Apple's.
  public enum Operator: UInt, Sendable {
    /// `<`
    case lessThan = 0
    /// `<=`
    case lessThanOrEqualTo = 1
    /// `>`
    case greaterThan = 2
    /// `>=`
    case greaterThanOrEqualTo = 3
    /// `==`
    case equalTo = 4
    /// `!=`
    case notEqualTo = 5
    /// `MATCHES`: a regular expression for the whole text.
    case matches = 6
    /// `LIKE`: `*` is any text, `?` one character.
    case like = 7
    /// `BEGINSWITH`
    case beginsWith = 8
    /// `ENDSWITH`
    case endsWith = 9
    /// `IN`: an element of the right collection, or a part of the right text.
    case `in` = 10
    /// By a method of one's own; not supported.
    case customSelector = 11
    /// `CONTAINS`: the left collection has the right side as an element, the left text as a part.
    case contains = 99
    /// `BETWEEN`: not below the first and not above the second of two values.
    case between = 100
  }
}
