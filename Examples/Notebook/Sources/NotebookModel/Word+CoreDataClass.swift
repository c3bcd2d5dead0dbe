//
//  Word+CoreDataClass.swift
//  Notebook
//

import CoreData
import Foundation

/*@objc(NBWord)*/
public class Word: NSManagedObject {
  /// The level counted from 1.
  public var displayLevel: Int { Int(level) + 1 }

  public func promote() { level += 1 }
}
