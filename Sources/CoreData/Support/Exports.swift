// Clients import only `CoreData`, as on Apple's systems.
@_exported import Foundation
