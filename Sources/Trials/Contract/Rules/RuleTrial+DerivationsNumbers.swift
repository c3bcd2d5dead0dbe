import Cells
import Checking
import CoreData

// S6.4, S9.2: numbers that the store derives, in attributes of other types than those that they are computed of.

extension RuleTrial {
  /// Who has saved an object has the numbers that others read: sums of decimals and of fractions, also in integers.
  func deriveNumbers() throws {
    let coordinator = try open(SumsOfPartsModel.make(), at: newURL())
    let (writer, reader) = (context(coordinator), freshContext(coordinator))
    let whole = try writer.performAndWait {
      let whole = insertNumbered("Whole", writer)
      for _ in 0..<2 { insertNumbered("Piece", writer).setValue(whole, forKey: "whole") }
      try save(writer)
      return whole
    }
    for _ in 0..<4 {
      let (number, own) = try writer.performAndWait {
        let pieces = try all("Piece", writer)
        precondition(pieces.count > 1, "there is something to add up")
        for piece in [pieces[0], pick(pieces) ?? pieces[1]] {
          let cost = Decimal(draw(40)) / 10
          piece.setValuesForKeys(["cost": NSDecimalNumber(decimal: cost), "weight": Double(draw(80) - 40) / 8])
          note(
            "cost of \(RulePicture.number(piece)) = \(cost), weight \(RulePicture.text(piece.value(forKey: "weight")))")
        }
        if chance(1, of: 2) { insertNumbered("Piece", writer).setValue(whole, forKey: "whole") }
        try save(writer)
        return (RulePicture.number(whole), SumsOfPartsModel.texts(whole))
      }
      try reader.performAndWait {
        reader.reset()
        let texts = try all("Whole", reader).first.map(SumsOfPartsModel.texts) ?? []
        try require(own, texts, .wrongValue, "sums of \(number) in who saved it, and as they are read")
      }
    }
  }
}

/// Pieces of a whole, with sums of theirs in attributes of several types.
private enum SumsOfPartsModel {
  static let sums: [(name: String, type: NSAttributeType, format: String)] = [
    ("costs", .decimalAttributeType, "pieces.@sum.cost"), ("costsInReals", .doubleAttributeType, "pieces.@sum.cost"),
    ("weights", .doubleAttributeType, "pieces.@sum.weight"),
    ("wholeWeights", .integer64AttributeType, "pieces.@sum.weight"),
    ("shortWeights", .integer16AttributeType, "pieces.weight.@sum"),
  ]

  static func texts(_ whole: NSManagedObject) -> [String] {
    precondition(whole.entity.name == "Whole", "only it has sums")
    return sums.map { "\($0.name): \(RulePicture.text(whole.value(forKey: $0.name)))" }
  }

  static func make() -> NSManagedObjectModel {
    let (whole, piece) = (ModelParts.entity("Whole"), ModelParts.entity("Piece"))
    piece.properties += [
      ModelParts.attribute("cost", .decimalAttributeType, isOptional: true),
      ModelParts.attribute("weight", .doubleAttributeType, isOptional: true),
    ]
    ModelParts.connect(
      ModelParts.many("pieces", piece, .nullifyDeleteRule), of: whole, ModelParts.one("whole", whole), of: piece)
    whole.properties += sums.map { RuleModel.deriving($0.name, $0.type, $0.format) }
    let model = NSManagedObjectModel()
    model.entities = [whole, piece]
    return model
  }
}
