import Testing

@testable import CoreData

/// Texts that look alike and have other code points.
@Suite struct CodePointTests {
  private static let forms = ["caf\u{E9}", "cafe\u{301}"]

  // S7.2
  @Test func aPatternIsOfItsOwnCodePoints() throws {
    let stack = try TestStack()
    try stack.change { context in
      for (number, form) in Self.forms.enumerated() { context.insertNote(Int64(number), title: form) }
    }
    let context = stack.context()
    try context.performAndWait {
      for (number, form) in Self.forms.enumerated() {
        let predicate = NSPredicate(format: "title MATCHES %@", form)
        let (found, all) = (try context.notes(predicate), try context.notes())
        #expect(found.map(\.number) == [Int64(number)])
        #expect(all.filter { predicate.evaluate(with: $0) }.map(\.number) == [Int64(number)])
      }
    }
  }

  // S7.2: for Swift, a quote and a mark beside it are one character.
  @Test(arguments: ["\u{301}a", "\u{200D}", "a\u{600}", "\\\u{301}", "\u{301}'\"\u{301}"])
  func aTextBeginsAndEndsWithAnyCodePoint(text: String) throws {
    let predicate = NSPredicate(format: "title == %@", text)
    let again = try NSPredicate.parsing("\(predicate)", arguments: [])
    let constant = (again as? NSComparisonPredicate)?.rightExpression.constantValue as? String
    #expect(constant.map { Array($0.utf8) } == Array(text.utf8))
  }

  // S10.1
  @Test func anAuthorIsRecordedAsWritten() throws {
    let stack = try TestStack.withHistory(.file)
    for (number, form) in Self.forms.enumerated() {
      try stack.change { context in
        context.transactionAuthor = form
        context.insertNote(Int64(number))
      }
    }
    #expect(try stack.transactions().map { $0.author.map { Array($0.utf8) } } == Self.forms.map { Array($0.utf8) })
  }

  // S2.4, S6.4: by itself, in a list, and in a dictionary.
  @Test(arguments: 0..<3) func anotherFormIsAChangeOfATransformedValue(number: Int) throws {
    let thing = Notebook.entity("Thing", NSManagedObject.self)
    thing.properties = [Notebook.attribute("value", .transformableAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    let stack = try TestStack(model: model)
    func value(_ form: String) -> Any { ([form, [1, form], ["key": form]] as [Any])[number] }
    for form in Self.forms {
      try stack.change { context in
        let thing = try context.all("Thing").first ?? context.insert("Thing")
        thing.setValue(value(form), forKey: "value")
      }
    }
    try stack.change { context in
      let value = try context.all("Thing").first?.value(forKey: "value")
      let text = value as? String ?? (value as? [Any])?.last as? String ?? (value as? [String: Any])?["key"] as? String
      #expect(text.map { Array($0.utf8) } == Array(Self.forms[1].utf8))
    }
  }
}
