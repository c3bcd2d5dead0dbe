extension NSError {
  /// An error of the Cocoa domain with a sentence, and what lies beneath.
  static func coreData(
    _ code: Int, _ description: String, underlying: (any Error)? = nil, userInfo: [String: Any] = [:]
  ) -> NSError {
    var info = userInfo
    info[NSLocalizedDescriptionKey] = description
    if let underlying { info[NSUnderlyingErrorKey] = underlying }
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}
