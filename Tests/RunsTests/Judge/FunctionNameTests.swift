import Testing

@testable import Runs

struct FunctionNameTests {
  @Test(arguments: [
    // A method, a private property, operators and a part of an accessor.
    ("$s8CoreData9SaveMergeV3runyyF", "SaveMerge.run"),
    (
      "$s6SQLite10ConnectionC16cachedStatements33_79F5A2E9E6411E14122CA7C8A9C356C7LLSDySSAA9StatementCGvpfi",
      "Connection.cachedStatements"
    ),
    ("$s6SQLite10ResultCodeV2teoiySbAC_ACtFZ", "ResultCode.~="),
    ("$s8RowStore9CacheTimeV1loiySbAC_ACtFZ", "CacheTime.<"),
    ("$s20FoundationEssentials9IndexPathV8CoreDataE3rowSivM.resume.0", "IndexPath.row.modify"),
    // Made of a closure; for types; of a closure for types; for one closure; for a protocol; of an argument.
    ("$s8CoreData10RemoteSaveV5merge4intoySayAA22NSManagedObjectContextCG_tFyyXEfU1_TA", "RemoteSave.merge"),
    (
      "$s6SQLite14DatabaseHandleC7replace_2bySbSS_xtAA11ReplaceableRzlFAA11SourcedFeedCyAA11KeyedSelectC4Keys"
        + "33_88EF15348A2FF53D1F14045A0CFF4151LLCG_Tg5Tm", "DatabaseHandle.replace"
    ),
    (
      "$s8CoreData11ResultsListV5applyyAA0C4DiffVyxGSayAC4ItemVyxq__GGFAF6ChangeVyx_Gx_SitXEfU2_AA15NSManagedObjectC"
        + "_Say8RowStore4SlotOGTg5TA", "ResultsList.apply"
    ),
    (
      "$s10Scheduling10SimulationC06passInB033_78FAB04719DCE0ED26F83B3B86738581LLyySS_s6UInt64VSSyXEtFZ49"
        + "$s10Scheduling10CheckpointV5reachyySSyXKFSSyXEfu_SSIgo_Tf1nncn_nTf4nndg_n", "Simulation.passInSimulation"
    ),
    ("$s8CoreData9EventKindOSHAASH13_rawHashValue4seedS2i_tFTWTm", "EventKind._rawHashValue"),
    ("$s10Foundation11NSPredicateC8CoreDataE10evaluating_9variablesSbypSg_SDySSypGtKFfA0_", "NSPredicate.evaluating"),
    // Made of a type alone.
    ("$s8CoreData10ObjectListVwCPTm", "initializeBufferWithCopyOfBuffer value witness for ObjectList"),
    // Of other languages, and without a name.
    ("cprocess_work", "cprocess_work"), ("swift_release'2", "swift_release"),
    ("0x0000000000004970", "0x0000000000004970"),
    (
      "bool swift::Counts<swift::Bits<(swift::Inlined)1> >::decrement<(swift::Deinit)1>(int) const",
      "swift::Counts::decrement"
    ),
  ])
  func aFunctionHasTheNameThatItsSourceHas(symbol: String, name: String) { #expect(FunctionName.short(symbol) == name) }
}
