import Testing

@testable import CoreData

@Suite struct RelationsTests {
  private func kinds(_ relations: Relations) -> [String] {
    relations.map { relation in
      switch relation {
      case .unknown: "unknown"
      case .none: "none"
      case .one: "one"
      case .many(let toMany): "\(toMany.members?.count ?? -1)"
      }
    }
  }

  // An object has room for one word.
  @Test func whatIsKnownIsAsLargeAsAReference() {
    #expect(MemoryLayout<Relations>.size == MemoryLayout<UnsafeRawPointer>.size)
  }

  @Test(arguments: [1, 2, 3]) func eachIsChangedInItsPlace(count: Int) throws {
    let stack = try TestStack()
    let context = stack.context()
    context.performAndWait {
      let object = context.insertNote(1, words: [])
      var relations = Relations.unknown(count)
      #expect(!relations.isEmpty && kinds(relations) == Array(repeating: "unknown", count: count))
      for position in relations.indices {
        let before = relations
        relations[position] = .one(object)
        #expect(relations.leadsToOne { $0 === object } && !relations.leadsToOne { $0 !== object })
        #expect(kinds(before)[position] == "unknown", "a copy stays as it was")
        relations[position] = .many(ToMany(ofNewObject: (), isOrdered: false))
        relations.change(position) { relation in
          guard case .many(let toMany) = relation else { return }
          toMany.add(object)
        }
        #expect(kinds(relations)[position] == "1" && !relations.leadsToOne { $0 === object })
        relations[position] = .none
      }
      #expect(kinds(relations) == Array(repeating: "none", count: count))
    }
  }

  @Test func whatWasNeverLookedAtIsEmpty() {
    #expect(Relations.unread.isEmpty && Relations.unread.count == 0 && !Relations.unread.leadsToOne { _ in true })
  }
}
