import Scenarios

extension KeySampler {
  /// The sampler of a scenario's `keys` and `key_distribution`.
  init(_ settings: ScenarioSettings) { self.init(settings, count: settings[Keys.sharedRows]) }

  /// A sampler of so many keys by a scenario's `key_distribution`.
  init(_ settings: ScenarioSettings, count: Int) {
    self.init(settings[Keys.keyDistribution], count: count)
  }
}
