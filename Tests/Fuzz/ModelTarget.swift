import CoreData

/// XML of models, damaged byte by byte and value by value; models that were read are used, copied and hashed.
struct ModelTarget: FuzzTarget {
  static let documents = [
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="2">
        <entity name="Base" representedClassName="Base" isAbstract="YES" syncable="YES">
            <attribute name="n" optional="YES" attributeType="Integer 16" minValueString="0" maxValueString="9" defaultValueString="3" usesScalarValueType="YES"/>
            <attribute name="s" attributeType="String" minValueString="1" maxValueString="20" regularExpressionString="[a-z]+(x|y)*"/>
            <attribute name="d" optional="YES" attributeType="Date" defaultDateTimeInterval="10" minDateTimeInterval="0"/>
            <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Base" inverseName="back" inverseEntity="Base"/>
            <relationship name="back" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Base" inverseName="next" inverseEntity="Base"/>
            <userInfo><entry key="k" value="v"/></userInfo>
        </entity>
        <entity name="Leaf" parentEntity="Base" elementID="Old" versionHashModifier="1"><attribute name="t" optional="YES"/></entity>
    </model>
    """,
    """
    <model>
      <entity name="A"><attribute name="a" optional="YES" attributeType="Composite" compositeName="C"/>
        <attribute name="u" optional="YES" attributeType="UUID"/><attribute name="x" optional="YES" attributeType="Transformable"/>
        <attribute name="l" optional="YES" attributeType="Decimal" derived="YES" derivationExpression="many.@count"/>
        <relationship name="many" optional="YES" toMany="YES" minCount="1" maxCount="5" destinationEntity="B"/>
        <fetchedProperty name="f"><fetchRequest name="r" entity="B" predicateString="b == $FETCH_SOURCE.u"/></fetchedProperty>
        <fetchIndex name="i"><fetchIndexElement property="u" type="RTree" order="descending"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="u"/></uniquenessConstraint></uniquenessConstraints>
        <compoundIndexes><compoundIndex><index value="u"/></compoundIndex></compoundIndexes></entity>
      <entity name="B"><attribute name="b" attributeType="Float" defaultValueString="0.5"/></entity>
      <composite name="C"><attribute name="c" optional="YES" attributeType="String"/><attribute name="e" optional="YES"
        attributeType="Composite" compositeName="D"/></composite>
      <composite name="D"><attribute name="g" optional="YES" attributeType="URI"/></composite>
      <configuration name="Q"><memberEntity name="A"/></configuration>
      <fetchRequest name="R" entity="B" predicateString="b &gt; 1 AND b IN {2, 3}" fetchLimit="4" resultType="1"/>
    </model>
    """,
  ].map { Array($0.utf8) }

  func description(of input: [UInt8]) -> String { String(decoding: input, as: UTF8.self).debugDescription }

  func input(_ generator: inout FuzzGenerator) -> [UInt8] {
    let document = generator.element(Self.documents)
    switch generator.below(4) {
    case 0: return exchanged(document, &generator)
    case 1: return Array(document.prefix(generator.below(document.count + 1)))
    case 2: return Mutation.damaged(exchanged(document, &generator), &generator)
    default: return Mutation.damaged(document, &generator)
    }
  }

  /// The document with values of attributes in each other's places, so that it stays XML.
  private func exchanged(_ document: [UInt8], _ generator: inout FuzzGenerator) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var parts = document.split(separator: quote, omittingEmptySubsequences: false).map(Array.init)
    let extra: [[UInt8]] = ["", "YES", "-1", "1e400", "99999999999999999999", "nan", "Composite", "'", "a.b", "(((("]
      .map { Array($0.utf8) }
    let isMild = generator.oneIn(2)
    for _ in 0...generator.below(3) {
      // A text between quotes has an odd place.
      let place = 1 + 2 * generator.below(parts.count / 2)
      if isMild {
        // The value of another attribute of that name.
        let name = parts[place - 1].split(separator: UInt8(ascii: " ")).last
        let others = stride(from: 1, to: parts.count, by: 2).filter {
          parts[$0 - 1].split(separator: UInt8(ascii: " ")).last == name
        }
        parts[place] = parts[generator.element(others)]
        continue
      }
      parts[place] = generator.oneIn(3) ? generator.element(extra) : parts[1 + 2 * generator.below(parts.count / 2)]
    }
    return Array(parts.joined(separator: [quote]))
  }

  func run(_ input: [UInt8], _ generator: inout FuzzGenerator) -> FuzzOutcome {
    let model: NSManagedObjectModel
    do throws(ModelFileError) {
      model = try NSManagedObjectModel(xml: Data(input), plainObjects: true)
    } catch {
      let lines = input.count { $0 == UInt8(ascii: "\n") } + 1
      guard !error.problems.isEmpty else { return .wrong("an error without a problem") }
      guard error.problems.allSatisfy({ $0.line.map { (1...lines).contains($0) } ?? true }) else {
        return .wrong("a line that is not there: \(error)")
      }
      return .refused
    }
    guard let copy = model.copy() as? NSManagedObjectModel, copy.isEqual(model),
      copy.versionChecksum == model.versionChecksum
    else { return .wrong("a copy that is not equal") }
    do { try model.use() } catch { return .refused }
    // A store of the model is made for some: that costs more.
    guard generator.oneIn(8) else { return .read }
    do {
      try NSPersistentStoreCoordinator(managedObjectModel: model)
        .addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    } catch {
      return .wrong("no store can be made of a model that was read: \(error)")
    }
    return .read
  }
}
