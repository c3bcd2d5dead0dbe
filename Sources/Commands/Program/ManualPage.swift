/// A manual page of the same texts as `--help`, for `man`.
///
/// - SeeAlso: man(7).
struct ManualPage {
  private let command: HelpDocument.Command
  private let version: String

  init(_ document: HelpDocument, version: String) {
    precondition(!document.command.shownSubcommands.isEmpty && !version.isEmpty, "a program has commands and a version")
    command = document.command
    self.version = version
  }

  /// The page.
  var text: String {
    let name = command.commandName
    let title = Self.escaped(name.uppercased())
    var lines = [
      ".TH \(title) 1 \"\" \"\(Self.escaped("\(name) \(version)"))\" \"User Commands\"", ".SH NAME",
      "\(Self.escaped(name)) \\- \(Self.escaped(command.abstract ?? ""))", ".SH SYNOPSIS",
      ".B \(Self.escaped(name))", ".I subcommand", "[options]", ".SH DESCRIPTION",
    ]
    lines += Self.lines(ofDiscussion: command.discussion ?? "")
    lines.append(".SH COMMANDS")
    for subcommand in command.shownSubcommands { lines += Self.lines(of: subcommand, behind: name) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// A command, and then its subcommands.
  private static func lines(of command: HelpDocument.Command, behind parents: String) -> [String] {
    let name = "\(parents) \(command.commandName)"
    guard command.shownSubcommands.isEmpty else {
      return command.shownSubcommands.flatMap { Self.lines(of: $0, behind: name) }
    }
    let arguments = command.shownArguments.filter {
      $0.names?.first?.name != "help" && $0.names?.first?.name != "version"
    }
    let positional = arguments.filter { $0.kind == "positional" }.map(usage)
    var lines = [".SS \"" + escaped(([name] + positional + ["[options]"]).joined(separator: " ")) + "\""]
    lines += [escaped(command.abstract ?? "")]
    if let discussion = command.discussion { lines += [".PP"] + Self.lines(ofDiscussion: discussion) }
    var section: String?
    for argument in arguments {
      if argument.sectionTitle != section, let title = argument.sectionTitle { lines += [".PP", escaped(title) + ":"] }
      section = argument.sectionTitle
      lines += [".TP", heading(of: argument), explanation(of: argument)]
    }
    return lines
  }

  /// `<folder>`, `[<files> …]`.
  private static func usage(_ argument: HelpDocument.Argument) -> String {
    let name = "<\(argument.valueName ?? "")>" + (argument.isRepeating == true ? " …" : "")
    return argument.isOptional == true ? "[\(name)]" : name
  }

  /// `--out <dir>`, in bold but for the value.
  private static func heading(of argument: HelpDocument.Argument) -> String {
    guard let names = argument.names, !names.isEmpty else { return "\\fI\(escaped(argument.valueName ?? ""))\\fR" }
    let words = names.map { "\\fB\(escaped($0.text))\\fR" }.joined(separator: ", ")
    return argument.kind == "option" ? "\(words) \\fI\(escaped(argument.valueName ?? ""))\\fR" : words
  }

  private static func explanation(of argument: HelpDocument.Argument) -> String {
    var sentences = [argument.abstract, argument.discussion].compactMap(\.self).filter { !$0.isEmpty }
    if let value = argument.defaultValue, argument.kind == "option" { sentences.append("(default: \(value))") }
    return escaped(sentences.joined(separator: " "))
  }

  /// Paragraphs are filled; lines that are set in stay as they are, such as examples, and so do titles.
  private static func lines(ofDiscussion text: String) -> [String] {
    var lines: [String] = []
    var isKept = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isPlain = !line.hasPrefix(" ") && !line.isEmpty
      let isTitle = isPlain && line.prefix { $0 != "(" }.allSatisfy { $0.isUppercase || $0 == " " }
      if isTitle {
        lines += (isKept ? [".fi"] : []) + [".PP", "\\fB\(escaped(line))\\fR"]
        isKept = false
      } else if isPlain {
        lines += (isKept ? [".fi", ".PP"] : []) + [escaped(line)]
        isKept = false
      } else {
        if !isKept, !line.isEmpty { lines.append(".nf") }
        if line.isEmpty, !isKept { lines.append(".PP") } else { lines.append(escaped(line)) }
        isKept = isKept || !line.isEmpty
      }
    }
    return lines + (isKept ? [".fi"] : [])
  }

  /// A text as `man` shows it, with its control characters escaped.
  private static func escaped(_ text: some StringProtocol) -> String {
    let plain = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
      .replacing("\n", with: " ")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
