import SQLite
import Testing

@testable import CoreData
@testable import RowStore

/// The SQL of predicates: one that can use an index does. S7.2.
@Suite struct PredicateSQLTests {
  private func generated(_ format: String, _ arguments: [Any] = []) throws -> (sql: String, stack: TestStack) {
    let stack = try TestStack(.memory, model: Warehouse.model())
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first).sqlite
    let layout = try #require(stack.container.managedObjectModel.layout?.entitiesByName["Thing"])
    let predicate = try ResolvedPredicate(NSPredicate(format: format, argumentArray: arguments), entity: layout)
    #expect(predicate.isTranslatable)
    let query = StoreQuery(entity: layout, predicate: predicate)
    let generated = SQLGenerator(schema: store.schema).select("t0.Z_PK", query)
    // SQLite takes the statement.
    try store.reading { connection, _ in _ = try connection.prepare(generated.sql) }
    return (generated.sql, stack)
  }

  // S7.2
  @Test(
    arguments: [
      ("s == 'a'", "t0.ZS = ?1"), ("s != 'a'", "t0.ZS IS NOT ?1"), ("s == nil", "t0.ZS IS NULL"),
      ("i > 3", "t0.ZI > ?1"),
      ("3 < i", "t0.ZI > ?1"), ("i BETWEEN {1, 2}", "t0.ZI BETWEEN ?1 AND ?2"), ("i IN {1}", "t0.ZI = ?1"),
      ("i IN {1, 2, 3}", "t0.ZI IN (?1, ?2, ?3, ?4)"), ("s BEGINSWITH 'ab'", "(t0.ZS >= ?1 AND t0.ZS < ?2)"),
      ("s LIKE 'ab*'", "(t0.ZS >= ?1 AND t0.ZS < ?2)"), ("s LIKE 'ab'", "t0.ZS = ?1"),
      ("s CONTAINS 'a'", "instr(t0.ZS, ?1) > 0"), ("s ==[cd] 'a'", "coredata_foldBoth(t0.ZS) = ?1"),
      ("s MATCHES 'a'", "coredata_matches(t0.ZS, ?1, 0)"), ("i + 1 > j", "(t0.ZI + ?1) > t0.ZJ"),
      ("day > now() - 60", "t0.ZDAY > ?1"), ("box == nil", "t0.ZBOX IS NULL"),
      ("NOT i > 3", "NOT (ifnull(t0.ZI > ?1, 0))"),
    ] as [(String, String)])
  func aComparisonIsOneConditionOfAColumn(format: String, condition: String) throws {
    #expect(try generated(format).sql == "SELECT t0.Z_PK FROM ZTHING t0 WHERE \(condition)")
  }

  // S7.2
  @Test(
    arguments: [
      ("box.name == 'a'", " LEFT JOIN ZBOX t1 ON t1.Z_PK = t0.ZBOX WHERE t1.ZNAME = ?1"),
      (
        "box.name == 'a' AND box.depth > 1",
        " LEFT JOIN ZBOX t1 ON t1.Z_PK = t0.ZBOX WHERE (t1.ZNAME = ?1 AND t1.ZDEPTH > ?2)"
      ),
      ("ANY parts.name == 'a'", " WHERE EXISTS (SELECT 1 FROM ZPART t1 WHERE t1.ZTHING = t0.Z_PK AND t1.ZNAME = ?1)"),
      ("parts.@count > 1", " WHERE (SELECT count(*) FROM ZPART t1 WHERE t1.ZTHING = t0.Z_PK) > ?1"),
    ] as [(String, String)])
  func relationshipsAreJoinedOrAskedFor(format: String, rest: String) throws {
    #expect(try generated(format).sql == "SELECT t0.Z_PK FROM ZTHING t0\(rest)")
  }

  // S7.2: a member of a many-to-many relationship is found in the join table alone.
  @Test func aMemberIsLookedUpInTheJoinTable() throws {
    let sql = try generated("tags CONTAINS %@", [NSNull()]).sql
    #expect(sql.contains("EXISTS (SELECT 1 FROM Z_") && !sql.contains("ZTAG t"))
  }

  // S7.2: the text of a statement does not grow with a list, so that statements are reused.
  @Test func longListsAreOneParameter() throws {
    let short = try generated("i IN %@", [Array(0..<100)]).sql
    let long = try generated("i IN %@", [Array(0..<10_000)]).sql
    #expect(short == long && short.contains("IN (SELECT value FROM json_each(?1))"))
    #expect(try generated("i IN %@", [Array(0..<5)]).sql == generated("i IN %@", [Array(0..<8)]).sql)
  }

  // S7.2: SQLite bounds the depth of an expression.
  @Test func thousandsOfAlternativesAreTaken() throws {
    let parts = (0..<5_000).map { NSPredicate(format: "i == %d", $0) }
    let stack = try TestStack(.memory, model: Warehouse.model())
    let context = stack.context()
    try context.performAndWait {
      context.insert("Thing", ["i": 4_999])
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
      #expect(try context.count(for: request) == 1)
      request.predicate = NSCompoundPredicate(notPredicateWithSubpredicate: request.predicate ?? parts[0])
      #expect(try context.count(for: request) == 0)
    }
  }

  // S7.2
  @Test func comparisonsOfColumnsAndPrefixesUseIndexes() throws {
    for (format, index) in [
      ("box == %@", "ZTHING_ZBOX_INDEX"), ("ANY parts.name == 'a'", "ZPART_ZTHING_INDEX"),
    ] {
      let (sql, stack) = try generated(format, format.contains("%@") ? [NSNull()] : [])
      let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first).sqlite
      let plan = try store.reading { connection, _ in
        let statement = try connection.prepare("EXPLAIN QUERY PLAN \(sql)")
        var plan = ""
        while try statement.step() { plan += statement.string(at: 3) + "\n" }
        return plan
      }
      #expect(plan.contains(index), "\(plan)")
    }
  }
}
