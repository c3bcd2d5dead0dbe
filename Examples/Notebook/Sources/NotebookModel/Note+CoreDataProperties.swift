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
  @NSManaged public var pages: NSOrderedSet?
  @NSManaged public var tags: NSSet?
  @NSManaged public var words: Set<Word>

}

// MARK: Generated accessors for pages
extension Note {

  /*@objc(insertObject:inPagesAtIndex:)*/
  @NSManaged public func insertIntoPages(_ value: Page, at idx: Int)

  /*@objc(removeObjectFromPagesAtIndex:)*/
  @NSManaged public func removeFromPages(at idx: Int)

  /*@objc(insertPages:atIndexes:)*/
  @NSManaged public func insertIntoPages(_ values: [Page], at indexes: NSIndexSet)

  /*@objc(removePagesAtIndexes:)*/
  @NSManaged public func removeFromPages(at indexes: NSIndexSet)

  /*@objc(replaceObjectInPagesAtIndex:withObject:)*/
  @NSManaged public func replacePages(at idx: Int, with value: Page)

  /*@objc(replacePagesAtIndexes:withPages:)*/
  @NSManaged public func replacePages(at indexes: NSIndexSet, with values: [Page])

  /*@objc(addPagesObject:)*/
  @NSManaged public func addToPages(_ value: Page)

  /*@objc(removePagesObject:)*/
  @NSManaged public func removeFromPages(_ value: Page)

  /*@objc(addPages:)*/
  @NSManaged public func addToPages(_ values: NSOrderedSet)

  /*@objc(removePages:)*/
  @NSManaged public func removeFromPages(_ values: NSOrderedSet)

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
