//
//  Note+CoreDataProperties.swift
//  Notebook
//

import CoreData
import Foundation

extension Note {

  @nonobjc public class func fetchRequest() -> NSFetchRequest<Note> {
    return NSFetchRequest<Note>(entityName: "Note")
  }

  @NSManaged public var body: String?
  @NSManaged public var createdAt: Date?
  @NSManaged public var identifier: UUID?
  @NSManaged public var isPinned: Bool
  @NSManaged public var link: URL?
  @NSManaged public var number: Int64
  @NSManaged public var picture: Data?
  @NSManaged public var price: NSDecimalNumber?
  @NSManaged public var priority: Note.Priority
  @NSManaged public var rating: Double
  @NSManaged public var reads: NSNumber?
  @NSManaged public var title: String
  @NSManaged public var weight: Float
  @NSManaged public var tags: NSSet?
  @NSManaged public var words: Set<Word>

}

// MARK: Generated accessors for tags
extension Note {

  /*@objc(addTagsObject:)*/
  @NSManaged public func addToTags(_ value: Tag)

  /*@objc(removeTagsObject:)*/
  @NSManaged public func removeFromTags(_ value: Tag)

  /*@objc(addTags:)*/
  @NSManaged public func addToTags(_ values: NSSet)

  /*@objc(removeTags:)*/
  @NSManaged public func removeFromTags(_ values: NSSet)

}

extension Note: Identifiable {

}
