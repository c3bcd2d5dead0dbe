/// Runs the body: on Linux every object is released when the last reference to it ends, and no pool keeps it until later.
///
/// - SeeAlso: Apple, "autoreleasepool(invoking:)".
@inlinable
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
