import ArgumentParser
import Reporting

extension ExitStatus {
  /// As the error that ends a command.
  var exitCode: ExitCode { ExitCode(rawValue) }
}
