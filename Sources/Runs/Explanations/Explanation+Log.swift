extension Explanation {
  static let logGrowth = Explanation(
    cause: """
      A read transaction stays open while others write: a long fetch, a backup, an extension or a debugger on the same \
      file. The write-ahead log cannot begin anew before the last of them has ended, and keeps every page written since.
      """,
    remedy: """
      Read in portions that end, and begin the next view afterwards; pin a query generation only for as long as a screen \
      needs it.
      """,
    code: """
      for offset in stride(from: 0, to: count, by: 500) {
        request.fetchOffset = offset
        request.fetchLimit = 500
        try export(context.fetch(request))
        context.reset()
      }
      """,
    sources: [.writeAheadLog, .generations])
}
