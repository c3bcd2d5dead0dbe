import Foundation

/// One value of the version hashes of many entities.
package enum ModelHashes {
  /// Of all entities of a model or a configuration: the hash of a store's metadata, `NSStoreModelVersionHashesDigest`.
  static func digest(_ hashes: [String: Data]) -> String {
    let bytes = sorted(hashes).flatMap { Array($0.key.utf8) + Array($0.value) }
    return Data(SHA2.hash512(bytes)).base64EncodedString()
  }

  /// Of all entities of a model.
  package static func checksum(_ hashes: [String: Data]) -> String {
    Data(SHA2.hash256(sorted(hashes).flatMap { Array($0.value) })).base64EncodedString()
  }

  private static func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
    hashes.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
  }
}
