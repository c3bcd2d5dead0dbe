import Dispatch
import Foundation
import Testing

/// A balance that is read and written by two calls.
actor Account {
  private(set) var balance = 0
  func set(_ new: Int) { balance = new }
  func add(_ amount: Int) { balance += amount }
}

enum Care: CaseIterable, Sendable {
  case careless
  case mended
}

func deposit(_ care: Care, into account: Account) async {
  switch care {
  case .careless: await account.set(await account.balance + 1)
  case .mended: await account.add(1)
  }
}

func balanceAfterTwo(_ care: Care) async -> Int {
  let account = Account()
  async let first: Void = deposit(care, into: account)
  async let second: Void = deposit(care, into: account)
  _ = await (first, second)
  return await account.balance
}

/// Tests as an app has them: they know nothing of exploring.
@Suite struct NewTests {
  @Test func careless() async { #expect(await balanceAfterTwo(.careless) == 2) }

  @Test func mended() async { #expect(await balanceAfterTwo(.mended) == 2) }

  @Test(arguments: Care.allCases) func either(care: Care) async { #expect(await balanceAfterTwo(care) == 2) }

  @Test(.disabled()) func notAsked() {}

  @Test func alone() { #expect(1 + 1 == 2) }

  @Test func trapsInSomeOrder() async {
    let balance = await balanceAfterTwo(.careless)
    precondition(balance == 2, "a deposit is kept")
  }

  @Test func twoLocks() async {
    let first = NSLock()
    let second = NSLock()
    DispatchQueue(label: "one").async { first.withLock { second.withLock {} } }
    DispatchQueue(label: "two").async { second.withLock { first.withLock {} } }
  }

  @Test func childProcess() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    try process.run()
    process.waitUntilExit()
  }

  @MainActor @Test func onMain() async {
    MainActor.assertIsolated()
    await Task.yield()
    MainActor.assertIsolated()
  }
}
