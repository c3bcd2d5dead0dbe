import Foundation
import Testing

/// Simulations of several processes, and of those that are killed, by the built executable.
@Suite(.serialized) struct ExploreProcessesTests {
  /// The extension is killed between the two halves in which its commit is published.
  private static let killed = """
    contextbench schedule 1
    scenario: app-and-extension
    set: kills=2
    set: clients=1
    strategy: history-merge
    cell seed: 1
    policy: by hand
    seed: 1
    kinds: durability-lost

    main | waits
    kill | before kill 1 extension 1
    extension 1: main | waits
    extension 1: client 1 | before file.publish 2 file
    kill | before kill 1 extension 2
    extension 2: main | waits
    extension 2: client 1 | before save.beforeCommit 1 client 1
    kill | waits

    """

  @Test func killsOfTheExtensionLoseNothing() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run([
      "explore", "app-and-extension", "--schedules", "70", "--set", "kill_rate=0.02", "--out", "found",
    ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test func processesOfOneFileFollowItsHistory() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["explore", "history-purge", "--schedules", "30", "--set", "history_purge_every=2"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test func aScheduleRepeatsItsKill() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(Self.killed, to: "killed.schedule")
    let first = try tool.run(["replay", file])
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    #expect(try tool.run(["replay", file, "--trace", "first.json"]).status == 0)
    #expect(try tool.run(["replay", file, "--trace", "second.json"]).status == 0)
    #expect(try tool.text("first.json") == tool.text("second.json"))
    #expect(try tool.text("first.json").contains("extension 2: client 1"))
  }

  @Test func killsWithoutAnAppAreNotSimulated() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["explore", "crash-recovery", "--schedules", "1"])
    #expect(result.status == 64 && result.errors.contains("ends them"), "\(result.errors)")
  }
}
