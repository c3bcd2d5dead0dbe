import Foundation

extension ReportingError {
  /// Why the system refused something, in its own words and without a full stop.
  package static func reason(_ error: any Error) -> String {
    // On Linux a value that is no object bridges to `NSError` only by way of `Error`.
    let underlying = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(CInt(truncatingIfNeeded: underlying.code)))
    }
    return withoutStop(error.localizedDescription)
  }

  /// The text without the full stop at its end, so that it can be gone on with.
  static func withoutStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
