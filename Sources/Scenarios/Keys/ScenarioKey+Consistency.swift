extension ScenarioKey {
  /// The workloads that share one course: clients with units of work on rows with keys.
  static let consistencyWorkloads = ["counters", "bank", "list-append", "set", "find-or-create"]

  /// The keys of those workloads.
  static let consistency: [ScenarioKey] = [
    ScenarioKey(
      "operations_per_client", .integer(1...10_000_000), unit: "operations", default: "200", quick: "50",
      workloads: consistencyWorkloads, "Operations of each client."),
    ScenarioKey(
      "keys", .integer(1...1_000_000), unit: "objects", default: "10",
      workloads: ["counters", "bank", "list-append", "find-or-create"],
      "Rows that the clients share; of list-append the lists in use at one time, of find-or-create new keys a step."),
    ScenarioKey(
      "units", .choice(["concurrent", "serial"]), default: "concurrent", isOption: true,
      workloads: consistencyWorkloads,
      "Whether the clients' units of work go to their writers at once, or one by one through a queue of the app: needed "
        + "where children of one context write, whose versions are not compared."),
    ScenarioKey(
      "members_per_save", .integer(1...100_000), unit: "objects", default: "5", isOption: true, workloads: ["set"],
      "Members that are inserted with one save."),
    ScenarioKey(
      "constraint", .boolean, default: "true", workloads: ["find-or-create"],
      "Whether the key has a uniqueness constraint; without, several workers make several rows."),
  ]
}
