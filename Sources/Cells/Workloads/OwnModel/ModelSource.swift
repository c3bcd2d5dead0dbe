import CoreData

/// The user's model, read from a file so that its stack works without the app's classes.
enum ModelSource {
  /// Why a model cannot be used.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads the current version of an `.xcdatamodeld`, or an `.xcdatamodel`.
  ///
  /// Objects of all entities are `NSManagedObject`; transformers of the app, which are not here, are stood in for.
  static func model(at path: String) throws -> NSManagedObjectModel {
    guard !path.isEmpty else {
      throw Unusable(description: "own-model needs a model: --set model=PATH of an .xcdatamodeld or .xcdatamodel")
    }
    let model = try NSManagedObjectModel(reading: try ModelFile(path), plainObjects: true)
    for entity in model.entities {
      for attribute in entity.attributesByName.values {
        guard let name = attribute.valueTransformerName.map({ NSValueTransformerName(rawValue: $0) }),
          !isKnown(name)
        else {
          continue
        }
        ValueTransformer.setValueTransformer(TextAsData(), forName: name)
      }
    }
    return model
  }

  private static func isKnown(_ name: NSValueTransformerName) -> Bool {
    // The stack's own transformers.
    let own: [NSValueTransformerName] = [
      .secureUnarchiveFromDataTransformerName, .unarchiveFromDataTransformerName,
      .keyedUnarchiveFromDataTransformerName, NSValueTransformerName("NSSecureUnarchiveFromDataTransformer"),
    ]
    return own.contains(name) || ValueTransformer.valueTransformerNames().contains(name)
  }

  /// Replaces a transformer of the app's: the generated values are texts.
  private final class TextAsData: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }

    override func transformedValue(_ value: Any?) -> Any? {
      (value as? NSString).map { Data(($0 as String).utf8) as NSData }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
      (value as? Data).map { NSString(string: String(decoding: $0, as: UTF8.self)) }
    }
  }
}
