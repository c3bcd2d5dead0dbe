//
//  Note+CoreDataClass.swift
//  Notebook
//

import CoreData
import Foundation

/*@objc(Note)*/
public class Note: NSManagedObject {
  /// How much a note matters; kept as its raw value.
  public enum Priority: Int16 {
    case low, normal, high
  }

  public override func awakeFromInsert() {
    super.awakeFromInsert()
    createdAt = Date()
    identifier = UUID()
  }
}
