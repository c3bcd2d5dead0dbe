/// One mistake that apps make with contexts, and the right way beside it: two scripts for a ``HazardStage``.
///
/// A hazard is a file in `Hazards/` with one `static let`, a line in ``HazardCatalogue``, and a scenario file
/// `Scenarios/hazards/NAME.yml` with `workload: hazard` and `hazard: NAME`, which has the right way under `careful:`.
package struct Hazard: Sendable {
  /// The script of one round; on a thread of its own that holds no queue.
  ///
  /// Its steps wait for each other, so that the mistake is made by order and not by luck, and is no data race. An error
  /// that it throws is a failure of the harness; an error that belongs to the hazard is caught and recorded.
  package typealias Script = @Sendable (_ stage: HazardStage) throws -> Void

  /// Name in scenario files, under the key `hazard`; kebab-case.
  package let name: String
  /// One sentence: the mistake.
  package let summary: String
  /// The model and the file's layout; nil for the notebook, with its notes in the store beforehand.
  package let schema: WorkloadSchema?
  /// The same for the right way, where the model makes it right; nil where both have one model.
  package let carefulSchema: WorkloadSchema?
  /// The mistake.
  package let careless: Script
  /// The right way.
  package let careful: Script

  /// Makes a hazard.
  package init(
    _ name: String, _ summary: String, schema: WorkloadSchema? = nil, carefulSchema: WorkloadSchema? = nil,
    careless: @escaping Script,
    careful: @escaping Script
  ) {
    precondition(!name.isEmpty && !summary.isEmpty, "a hazard has a name and says what it is")
    precondition(carefulSchema == nil || schema != nil, "a careful model takes the place of a careless one")
    self.name = name
    self.summary = summary
    self.schema = schema
    self.carefulSchema = carefulSchema
    self.careless = careless
    self.careful = careful
  }
}
