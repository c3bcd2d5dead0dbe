import CoreData
import Testing

/// A country that counts its moods as it is saved.
final class CountedCountry: NSManagedObject {
  override func willSave() {
    super.willSave()
    let count = (value(forKey: "moods") as? Set<NSManagedObject>)?.count ?? 0
    if changedValues()["moods"] != nil, value(forKey: "count") as? Int != count { setValue(count, forKey: "count") }
  }
}

/// The object that keeps its row when a uniqueness constraint is violated. S3.5
@Suite struct ConstraintWinnerTests {
  private static func model() -> NSManagedObjectModel {
    let country = Notebook.entity("Country", CountedCountry.self)
    let mood = Notebook.entity("Mood", NSManagedObject.self)
    let moods = Notebook.relationship("moods", to: mood, maxCount: 0)
    let owner = Notebook.relationship("country", to: country, maxCount: 1)
    (moods.inverseRelationship, owner.inverseRelationship) = (owner, moods)
    country.properties = [
      Notebook.attribute("code", .integer16AttributeType, defaultValue: 0),
      Notebook.attribute("count", .integer64AttributeType, defaultValue: 0), moods,
    ]
    country.uniquenessConstraints = [["code"]]
    mood.properties = [owner]
    let model = NSManagedObjectModel()
    model.entities = [country, mood]
    return model
  }

  // S3.5, S2.7: it has changed, and so is asked before it is saved.
  @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump])
  func theWinnerOfAConstraintSeesWhatItTookOver(policy: NSMergePolicy) throws {
    let stack = try TestStack(model: Self.model())
    func make(_ context: NSManagedObjectContext) {
      let country = context.insert("Country", ["code": 276])
      context.insert("Mood").setValue(country, forKey: "country")
    }
    let context = stack.context()
    context.mergePolicy = policy
    context.performAndWait { make(context) }
    try stack.change { make($0) }
    try context.performAndWait { try context.save() }
    #expect(try stack.sql("SELECT ZCOUNT FROM ZCOUNTRY") == ["2"])
    #expect(try stack.sql("SELECT count(*) FROM ZMOOD WHERE ZCOUNTRY = 1 OR ZCOUNTRY = 2") == ["2"])
  }
}
