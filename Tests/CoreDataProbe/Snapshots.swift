import SQLite
import Scheduling

/// Prints how many snapshots beside the first of their read were seen after each statement.
func countSnapshots() throws {
  let seen = Locked(0)
  ReadStart.watch { seen.withLock { $0 += 1 } }
  let connection = try Connection(path: ":memory:")
  try connection.execute("CREATE TABLE T (V); INSERT INTO T VALUES (1), (2)")
  let all = try connection.prepare("SELECT V FROM T")
  let sum = try connection.prepare("SELECT sum(V) FROM T")
  func run(_ name: String, _ statement: Statement) throws {
    defer { statement.reset() }
    while try statement.step() {}
    print(name, seen.withLock { $0 })
  }
  try connection.reading {
    try run("first", all)
    try run("again", all)
    try run("another", sum)
    // One that has not ended keeps its snapshot, which the next one shares.
    _ = try all.step()
    try run("beside the third", sum)
    all.reset()
  }
  try run("outside of a read", all)
  try connection.execute("BEGIN")
  try connection.reading {
    try run("in a transaction", all)
    try run("again in it", all)
  }
  try connection.execute("COMMIT")
  try connection.reading { try run("the next read", all) }
}
