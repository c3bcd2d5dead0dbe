import CoreData
import Scenarios

extension PendingClient {
  private var isCareless: Bool { session.settings[Keys.care] == .careless }

  /// Where the scenario asks for the mistake, saves a change beside the client that it does not know of: to one of the words
  /// that it compares next.
  func saveUnexpectedlyIfCareless(_ page: PendingPage) throws {
    guard isCareless else { return }
    let id = own.performAndWait { page.words[0].objectID }
    try saveBeside { try PendingPage.word(id, in: $0).term = "unexpected" }
  }

  /// Whether `willSave` of the client's objects does its expected work.
  var isSummingUp: Bool { !isCareless }

  /// A call that the client's objects let pass.
  var forgottenHook: HookLog.Hook? { isCareless ? .didSave : nil }
}
