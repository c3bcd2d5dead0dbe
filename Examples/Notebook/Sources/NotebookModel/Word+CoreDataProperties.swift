//
//  Word+CoreDataProperties.swift
//  Notebook
//

import CoreData
import Foundation

extension Word {

  @nonobjc public class func fetchRequest() -> NSFetchRequest<Word> {
    return NSFetchRequest<Word>(entityName: "Word")
  }

  @NSManaged public var level: Int16
  @NSManaged public var term: String?
  @NSManaged public var note: Note?

}

extension Word: Identifiable {

}
