import Testing

@testable import CoreData
@testable import RowStore

/// The standard's examples, and messages around the ends of a block. S9.2
@Suite struct SHA2Tests {
  private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func sha256(message: String, expected: String) {
    #expect(Self.hex(SHA2.hash256(Array(message.utf8))) == expected)
  }

  @Test func sha512() {
    #expect(
      Self.hex(SHA2.hash512(Array("abc".utf8)))
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
  }

  // Each length's message is zeros; the hash of all hashes was computed with Python's hashlib.
  @Test func everyLengthAroundABlock() {
    #expect(
      Self.hex(SHA2.hash256((0...260).flatMap { SHA2.hash256([UInt8](repeating: 0, count: $0)) }))
        == "60e4c2a16d222e86930959ab4f7e60f256ffe05dd9730ea6848df8fbcd0698ef")
    #expect(
      Self.hex(SHA2.hash256((0...260).flatMap { SHA2.hash512([UInt8](repeating: 0, count: $0)) }))
        == "1189ee46bea5a3e5f8874b8f0f85c8eeb1f6dda3ccaeeca0f82d60212e4b78e6")
  }
}
