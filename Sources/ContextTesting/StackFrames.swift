import CInterception
import Foundation

/// Names return addresses with files and lines, as far as the toolchain's `llvm-symbolizer` knows them.
enum StackFrames {
  private static let shownMax = 4
  /// The sources of the package: their frames say nothing to its users.
  private static let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path

  /// The places in the program's own code, innermost first.
  static func lines(_ addresses: [UInt]) -> [String] {
    let frames = named(addresses).filter { frame in
      guard let path = frame.path else { return false }
      return path.hasPrefix("/") && !path.hasPrefix(own) && !path.contains("/usr/") && !path.contains("/swift/stdlib/")
        && frame.line > 0
    }
    return frames.prefix(shownMax).map { frame in
      "\(URL(fileURLWithPath: frame.path ?? "").lastPathComponent):\(frame.line)"
    }
  }

  private struct Frame {
    let path: String?
    let line: Int
  }

  private static func named(_ addresses: [UInt]) -> [Frame] {
    // The call is before the return address.
    let places = addresses.filter { $0 > 0 }.map { contextbench_place($0 - 1) }.filter { $0 > 0 }
    guard !places.isEmpty else { return [] }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["llvm-symbolizer", "--no-inlines", "--obj=/proc/\(ProcessInfo.processInfo.processIdentifier)/exe"]
      + places.map { "0x" + String($0, radix: 16) }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return [] }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.components(separatedBy: "\n\n").compactMap { entry in
      let lines = entry.split(separator: "\n").map(String.init)
      guard lines.count >= 2 else { return nil }
      let parts = lines[1].split(separator: ":")
      guard parts.count >= 3 else { return nil }
      return Frame(
        path: parts.dropLast(2).joined(separator: ":"), line: Int(parts[parts.count - 2]) ?? 0)
    }
  }
}

extension FoundFault {
  /// The fault with its stacks, where they were kept.
  var described: String {
    let frames = stacks.filter { !$0.addresses.isEmpty }.map { title, addresses in
      (title: title, lines: StackFrames.lines(addresses))
    }
    return "\(fault.rawValue): \(text)"
      + frames.filter { !$0.lines.isEmpty }.map { "\n  \($0.title) at " + $0.lines.joined(separator: ", called at ") }
      .joined()
  }
}
