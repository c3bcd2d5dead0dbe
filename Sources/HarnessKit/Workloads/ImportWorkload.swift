/// First-launch import: importers write notes with words in batches while main fetches pages and ticks.
package final class ImportWorkload: Workload {
  package static let name = "import"
  package static let summary = "Importers write notes with words in batches while main fetches pages and ticks."
  package static let hasFloor = true
}
