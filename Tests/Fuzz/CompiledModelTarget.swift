import CoreData

/// Compiled models, damaged byte by byte: archives that the stack makes of models it read from XML.
struct CompiledModelTarget: FuzzTarget {
  private let models = ModelTarget()
  private let archives: [[UInt8]]

  /// - Throws: when a sample cannot be read.
  init() throws {
    archives = try ModelTarget.documents.map { document in
      Array(try NSManagedObjectModel(xml: Data(document), plainObjects: true).archived)
    }
  }

  func description(of input: [UInt8]) -> String { Data(input).base64EncodedString() }

  func input(_ generator: inout FuzzGenerator) -> [UInt8] {
    var archive = generator.element(archives)
    guard generator.oneIn(2) else { return Mutation.damaged(archive, &generator) }
    // References among the objects: the archive stays a list of properties.
    for _ in 0...generator.below(4) {
      let places = archive.indices.dropLast(36).filter { archive[$0] == 0x83 && archive[$0 + 1] == 0 }
      guard !places.isEmpty else { break }
      archive[generator.element(places) + 4] = UInt8(truncatingIfNeeded: generator.next())
    }
    return archive
  }

  func run(_ input: [UInt8], _ generator: inout FuzzGenerator) -> FuzzOutcome { models.run(input, &generator) }
}
