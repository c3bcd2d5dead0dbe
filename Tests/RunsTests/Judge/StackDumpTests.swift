import Testing

@testable import Runs

@Suite struct StackDumpTests {
  @Test func swiftNamesAreDemangledAndTheRestIsKept() {
    let line = "contextbench($sSS5countSivg+0x10)[0x55]\n/lib/libc.so.6(futex+0x1)[0x7f]"
    #expect(
      StackDump.demangled(line)
        == "contextbench(Swift.String.count.getter : Swift.Int+0x10)[0x55]\n/lib/libc.so.6(futex+0x1)[0x7f]")
  }

  @Test func theExecutablesOwnFunctionsAreNamedAndThoseOfLibrariesAreLeft() {
    let text = "/a/contextbench(+0x1f)[0x55]\n/lib/libc.so.6(+0x1f)[0x7f]\n/a/contextbench(+0x2)[0x50]\n"
    let named = StackDump.named(text, executable: "/b/contextbench") { $0 == 0x1F ? "inner" : nil }
    #expect(named == "/a/contextbench(inner)[0x55]\n/lib/libc.so.6(+0x1f)[0x7f]\n/a/contextbench(+0x2)[0x50]\n")
  }

  @Test func aTraceInALineNamesTheExecutablesFunctions() {
    let text = "used on main; at own(+0x1f) < own(+0x2) < libc.so.6(+0x1f)"
    let named = StackDump.tracesNamed(text, executable: "/b/own") { $0 == 0x1F ? "$sSS5countSivg" : nil }
    #expect(named == "used on main; at Swift.String.count.getter < own(+0x2) < libc.so.6(+0x1f)")
  }

  @Test(arguments: [
    (
      "(extension in CoreData):CoreData.NSManagedObjectContext.save() throws -> ()",
      "CoreData.NSManagedObjectContext.save"
    ),
    (
      "closure #1 (Swift.Int) -> () in Cells.Client.write<A>(A, to: Swift.Int) throws -> A",
      "closure #1 in Cells.Client.write"
    ),
    ("CoreData.NSManagedObject.(report in _F9C8C81F8014BD54)(Swift.Int) -> ()", "CoreData.NSManagedObject.report"),
    (
      "function signature specialization <Arg[2] = Dead> of static Cells.Hazard.(ask in _2E73)(Cells.Stage) -> ()",
      "Cells.Hazard.ask"
    ),
    (
      "generic specialization <Swift.Array<Swift.Set<Swift.Int>>> of Cells.Client.write<A>(A) -> A",
      "Cells.Client.write"
    ),
    ("closure #1 @Sendable (Cells.Stage) throws -> () in static Cells.Hazard.ask", "closure #1 in Cells.Hazard.ask"),
    ("main", "main"),
  ])
  func namesAreShortInALine(name: String, short: String) { #expect(StackDump.shortened(name) == short) }

  @Test func aFunctionOfThisProgramIsFoundByItsAddress() throws {
    let program = try #require(CommandLine.arguments.first)
    let symbols = try #require(SymbolTable(executable: program))
    let found = (0..<4_000_000).lazy.map { UInt64($0 * 64) }.contains { symbols.name(at: $0)?.hasPrefix("$s") == true }
    #expect(found)
    #expect(symbols.name(at: 0) == nil)
    #expect(SymbolTable(executable: "/etc/passwd") == nil)
  }
}
