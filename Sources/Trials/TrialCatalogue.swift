import Cells

/// The workloads that try the stack itself, by a reference and by the contract's rules.
package enum TrialCatalogue {
  /// Adds the trials to the workloads that scenarios can name.
  ///
  /// - Precondition: called once, before the first scenario is read.
  package static func register() {
    WorkloadRegistry.register(AnythingWorkload.self)
    WorkloadRegistry.register(ContractWorkload.self)
  }
}
