import CoreData
import Scenarios

extension PendingClient {
  /// Where the scenario asks for the mistake, saves beside the client what it does not know of: one of the words whose terms
  /// it compares next.
  func saveUnexpectedlyIfCareless(_ page: PendingPage) throws {
    guard session.settings[Keys.care] == .careless else { return }
    let id = own.performAndWait { page.words[0].objectID }
    try saveBeside { try PendingPage.word(id, in: $0).term = "unexpected" }
  }
}
