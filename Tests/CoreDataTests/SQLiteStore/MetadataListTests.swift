import CoreData
import Testing

@testable import RowStore

/// The property list of a store's metadata, read without Foundation where it is binary. S6.3
@Suite struct MetadataListTests {
  private let values: [String: Any] = [
    "flag": true, "other": false, "number": 5, "large": Int64.max, "negative": -3, "real": 2.5, "text": "ä",
    "date": Date(timeIntervalSinceReferenceDate: 10), "data": Data([1, 2]), "list": ["a", 1, ["b"]] as [Any],
    "members": ["x": "y", "z": 1] as [String: Any],
  ]

  private func data(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func allValuesAreRead(format: PropertyListSerialization.PropertyListFormat) throws {
    let read = try #require(BinaryPropertyList.dictionary(try data(format)))
    #expect(read["flag"] as? Bool == true && read["number"] as? Int == 5 && read["real"] as? Double == 2.5)
    // Written again, each is of the kind it was.
    let again = try PropertyListSerialization.data(fromPropertyList: read, format: .xml, options: 0)
    #expect(String(decoding: again, as: UTF8.self) == String(decoding: try data(.xml), as: UTF8.self))
  }

  @Test func aSetIsReadAsAList() throws {
    var data = try PropertyListSerialization.data(
      fromPropertyList: ["a": ["b": ["c", "d"]]], format: .binary, options: 0)
    let list = try #require(data.lastIndex(of: 0xA2))
    data[list] = 0xC2
    let members = try #require(BinaryPropertyList.dictionary(data)?["a"] as? [String: Any])
    #expect(members["b"] as? [String] == ["c", "d"])
  }

  @Test func bytesThatAreNoListAreNone() {
    #expect(BinaryPropertyList.dictionary(Data()) == nil)
    #expect(BinaryPropertyList.dictionary(Data("bplist00".utf8)) == nil)
    #expect(BinaryPropertyList.dictionary(Data("<plist><array/></plist>".utf8)) == nil)
  }
}
