#if canImport(GRDB)
  import Foundation
  import GRDB

  /// GRDB's records, as its guide has them: `Codable`, in a queue's transactions.
  struct RecordsPeer: Peer {
    let name = "GRDB"

    private struct NoteRecord: Codable, PersistableRecord {
      static let databaseTableName = "ZNOTE"
      var Z_PK: Int64
      var Z_ENT = 1
      var Z_OPT = 1
      var ZNUMBER: Int64
      var ZREVISION = 1
      var ZISPINNED: Bool
      var ZCREATEDAT: Double
      var ZMODIFIEDAT: Double
      var ZTITLE: String
      var ZBODY: String
      var ZLANGUAGE: String
      var ZUUID: UUID
    }

    private struct WordRecord: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "ZWORD"
      var Z_PK: Int64
      var Z_ENT = 2
      var Z_OPT = 1
      var ZNUMBER: Int64
      var ZLEVEL: Int16
      var ZTERM: String
      var ZMEANING: String
      var ZNOTE: Int64
    }

    func run(_ workload: Workload, on file: URL, _ rows: Rows) throws -> Double? {
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { try? queue.close() }
      switch workload {
      case .importOnce: return try importRows(rows, into: queue, notesPerSave: rows.notes.count)
      case .importOften: return try importRows(rows, into: queue, notesPerSave: notesPerSmallSave)
      case .fetch, .values: return try fetch(queue)
      case .fileFault:
        let keys = Order.shuffled(rows.words.count)
        return try measured { for key in keys { _ = try queue.read { try WordRecord.fetchOne($0, key: key) } } }
      case .update:
        var words = try queue.read { try WordRecord.fetchAll($0) }
        return try measured {
          try queue.write { database in
            for index in words.indices {
              words[index].ZLEVEL = 7
              words[index].Z_OPT += 1
              try words[index].update(database)
            }
          }
        }
      case .delete: return try delete(rows.allNotes, in: queue)
      case .deleteHalf: return try delete(rows.everySecondNote, in: queue)
      case .importGoingOn, .importPushed, .importNested, .firstFetch, .firstFetchByKey, .fetchByKey, .lookUp,
        .cachedFault, .updateByText, .deleteFetched, .deleteByText, .besideReader, .merge, .mergeByText:
        return nil
      }
    }

    private func measured<Result>(_ body: () throws -> Result) rethrows -> Double {
      let start = now()
      let result = try body()
      let seconds = now() - start
      return withExtendedLifetime(result) { seconds }
    }

    private func delete(_ notes: [Int64], in queue: DatabaseQueue) throws -> Double {
      try measured {
        try queue.write { database in
          for key in notes {
            try WordRecord.filter(Column("ZNOTE") == key).deleteAll(database)
            try NoteRecord.deleteOne(database, key: key)
          }
        }
      }
    }

    private func importRows(_ rows: Rows, into queue: DatabaseQueue, notesPerSave: Int) throws -> Double {
      try measured {
        for start in stride(from: 0, to: rows.notes.count, by: notesPerSave) {
          try queue.write { database in
            for index in start..<min(start + notesPerSave, rows.notes.count) { try insert(index, rows, database) }
          }
        }
      }
    }

    private func insert(_ index: Int, _ rows: Rows, _ database: Database) throws {
      let row = rows.notes[index]
      try NoteRecord(
        Z_PK: row.number, ZNUMBER: row.number, ZISPINNED: row.isPinned,
        ZCREATEDAT: row.createdAt.timeIntervalSinceReferenceDate,
        ZMODIFIEDAT: row.modifiedAt.timeIntervalSinceReferenceDate, ZTITLE: row.title, ZBODY: row.body,
        ZLANGUAGE: row.language, ZUUID: row.uuid
      ).insert(database)
      for word in rows.words(of: index) {
        try WordRecord(
          Z_PK: word.number, ZNUMBER: word.number, ZLEVEL: word.level, ZTERM: word.term, ZMEANING: word.meaning,
          ZNOTE: row.number
        ).insert(database)
      }
    }

    private func fetch(_ queue: DatabaseQueue) throws -> Double {
      func read() throws -> [WordRecord] {
        let words = try queue.read { try WordRecord.order(Column("ZTERM")).fetchAll($0) }
        let sum = words.reduce(0) {
          $0 + Int($1.ZNUMBER) + Int($1.ZLEVEL) + $1.ZTERM.utf8.count + $1.ZMEANING.utf8.count
        }
        try check(sum > 0, "nothing was read")
        return words
      }
      _ = try read()
      return try measured(read)
    }
  }
#endif
