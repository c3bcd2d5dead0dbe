// Modules for strategies and workloads in other packages, which see their public declarations.
@_exported import Boundary
@_exported import Cells
// Histories are made of Checking's values; strategies and workloads wait, and run concurrent work, through Scheduling.
@_exported import Checking
@_exported import Scenarios
@_exported import Scheduling
