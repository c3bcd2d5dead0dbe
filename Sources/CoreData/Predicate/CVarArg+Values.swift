// Values that Swift passes as arguments of C's on Apple's systems, `uuid as CVarArg`, where each of these is an object of
// Objective-C's or becomes one.

/// A value that is passed as an object: a string that prints it, since Foundation's formats know the layout of strings only.
final class ArgumentString: NSString {
  /// An object, or a value of Foundation's.
  let value: Any
  private let text: NSString

  init(_ value: Any) {
    self.value = value
    text = NSString(string: "\(value)")
    super.init(stringLiteral: "")
  }

  override var length: Int { text.length }

  override func character(at index: Int) -> unichar { text.character(at: index) }

  // NSString requires these of its subclasses.

  required convenience init?(coder: NSCoder) { nil }

  required convenience init(string: String) { self.init(string as Any) }

  required convenience init(unicodeScalarLiteral value: StaticString) { self.init("\(value)" as Any) }

  required convenience init(extendedGraphemeClusterLiteral value: StaticString) { self.init("\(value)" as Any) }

  required convenience init(stringLiteral value: StaticString) { self.init("\(value)" as Any) }
}

/// A value that is passed as an object.
public protocol _ObjectArgument: _CVarArgObject {}

extension _ObjectArgument {
  /// The argument that is passed in the value's place.
  public var _cVarArgObject: any CVarArg { ArgumentString(self) }

  /// Not asked: the value passed in this one's place has its own.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSData: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSDictionary: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSNull: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSOrderedSet: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSURL: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSUUID: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, _ObjectArgument {}
extension NSManagedObject: _ObjectArgument {}
extension NSManagedObjectID: _ObjectArgument {}
