import Foundation
import Measuring

/// An executable that ran cells, and the known facts about its source.
package struct RunExecutable: Codable, Sendable, Hashable {
  /// Its absolute path.
  package var path: String
  /// The commit that was checked out around it when it ran; nil outside a repository.
  package var revision: String?
  /// Whether files of that commit were changed and not committed; nil where git did not say.
  package var isDirty: Bool?
  /// SHA-256 of the file, in hexadecimal digits, as `sha256sum` prints it; nil where there is no such command.
  package var sha256: String?

  package init(path: String, revision: String?, isDirty: Bool? = nil, sha256: String? = nil) {
    self.path = path
    self.revision = revision
    self.isDirty = isDirty
    self.sha256 = sha256
  }

  /// Looks at the executable at `path`. Asks git and `sha256sum`, which takes tenths of a second.
  package init(at path: String) {
    self.path = path
    revision = SourceRevision.find(from: path)
    let folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
    if revision != nil {
      isDirty = ToolOutput.of("git", ["-C", folder, "status", "--porcelain", "--untracked-files=no"]).map {
        !$0.isEmpty
      }
    }
    sha256 = ToolOutput.of("sha256sum", ["--", path]).flatMap { text in
      let digits = text.drop { $0 == "\\" }.prefix { $0.isHexDigit }
      return digits.count == 64 ? String(digits) : nil
    }
  }

  /// As many digits of a hash as tell two executables apart at sight.
  private static let shownDigits = 12

  /// Its identity, in words: `revision 44cb93d…, with changes that are not committed, SHA-256 e3b0c44298fc…`.
  package var summary: String {
    let parts = [
      revision.map { "revision \($0)" }, isDirty == true ? "with changes that are not committed" : nil,
      sha256.map { "SHA-256 \($0.prefix(Self.shownDigits))…" },
    ]
    let known = parts.compactMap(\.self)
    return known.isEmpty ? "revision unknown" : known.joined(separator: ", ")
  }
}

extension Manifest {
  /// The executable's identity, in words; nil where nothing is known.
  package var executableSummary: String? { executable?.summary ?? revision.map { "revision \($0)" } }
}
