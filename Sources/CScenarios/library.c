// Written by scripts/embed-scenarios, not by hand.
#include "CScenarios.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct cscenarios_file files[] = {
  {"anything.yml", (const char[]){
#embed "../../Scenarios/anything.yml" suffix(, 0)
  }},
  {"app-and-extension.yml", (const char[]){
#embed "../../Scenarios/app-and-extension.yml" suffix(, 0)
  }},
  {"app.yml", (const char[]){
#embed "../../Scenarios/app.yml" suffix(, 0)
  }},
  {"bank.yml", (const char[]){
#embed "../../Scenarios/bank.yml" suffix(, 0)
  }},
  {"batch-import.yml", (const char[]){
#embed "../../Scenarios/batch-import.yml" suffix(, 0)
  }},
  {"cascade-storm.yml", (const char[]){
#embed "../../Scenarios/cascade-storm.yml" suffix(, 0)
  }},
  {"contract.yml", (const char[]){
#embed "../../Scenarios/contract.yml" suffix(, 0)
  }},
  {"counters-processes.yml", (const char[]){
#embed "../../Scenarios/counters-processes.yml" suffix(, 0)
  }},
  {"counters.yml", (const char[]){
#embed "../../Scenarios/counters.yml" suffix(, 0)
  }},
  {"crash-recovery.yml", (const char[]){
#embed "../../Scenarios/crash-recovery.yml" suffix(, 0)
  }},
  {"delete-during-request.yml", (const char[]){
#embed "../../Scenarios/delete-during-request.yml" suffix(, 0)
  }},
  {"find-or-create.yml", (const char[]){
#embed "../../Scenarios/find-or-create.yml" suffix(, 0)
  }},
  {"hazards/blocks-out-of-order.yml", (const char[]){
#embed "../../Scenarios/hazards/blocks-out-of-order.yml" suffix(, 0)
  }},
  {"hazards/changed-in-file.yml", (const char[]){
#embed "../../Scenarios/hazards/changed-in-file.yml" suffix(, 0)
  }},
  {"hazards/child-loop-on-main.yml", (const char[]){
#embed "../../Scenarios/hazards/child-loop-on-main.yml" suffix(, 0)
  }},
  {"hazards/context-leak.yml", (const char[]){
#embed "../../Scenarios/hazards/context-leak.yml" suffix(, 0)
  }},
  {"hazards/context-off-queue.yml", (const char[]){
#embed "../../Scenarios/hazards/context-off-queue.yml" suffix(, 0)
  }},
  {"hazards/controller-divergence.yml", (const char[]){
#embed "../../Scenarios/hazards/controller-divergence.yml" suffix(, 0)
  }},
  {"hazards/copied-while-open.yml", (const char[]){
#embed "../../Scenarios/hazards/copied-while-open.yml" suffix(, 0)
  }},
  {"hazards/cross-context-relationship.yml", (const char[]){
#embed "../../Scenarios/hazards/cross-context-relationship.yml" suffix(, 0)
  }},
  {"hazards/crossed-writers.yml", (const char[]){
#embed "../../Scenarios/hazards/crossed-writers.yml" suffix(, 0)
  }},
  {"hazards/dangling-reference.yml", (const char[]){
#embed "../../Scenarios/hazards/dangling-reference.yml" suffix(, 0)
  }},
  {"hazards/deadlock.yml", (const char[]){
#embed "../../Scenarios/hazards/deadlock.yml" suffix(, 0)
  }},
  {"hazards/dirty-read.yml", (const char[]){
#embed "../../Scenarios/hazards/dirty-read.yml" suffix(, 0)
  }},
  {"hazards/duplicate-record.yml", (const char[]){
#embed "../../Scenarios/hazards/duplicate-record.yml" suffix(, 0)
  }},
  {"hazards/early-purge.yml", (const char[]){
#embed "../../Scenarios/hazards/early-purge.yml" suffix(, 0)
  }},
  {"hazards/forged-notification.yml", (const char[]){
#embed "../../Scenarios/hazards/forged-notification.yml" suffix(, 0)
  }},
  {"hazards/forgotten-completion.yml", (const char[]){
#embed "../../Scenarios/hazards/forgotten-completion.yml" suffix(, 0)
  }},
  {"hazards/generation-change.yml", (const char[]){
#embed "../../Scenarios/hazards/generation-change.yml" suffix(, 0)
  }},
  {"hazards/inaccessible-fault.yml", (const char[]){
#embed "../../Scenarios/hazards/inaccessible-fault.yml" suffix(, 0)
  }},
  {"hazards/incompatible-order.yml", (const char[]){
#embed "../../Scenarios/hazards/incompatible-order.yml" suffix(, 0)
  }},
  {"hazards/invented-notification.yml", (const char[]){
#embed "../../Scenarios/hazards/invented-notification.yml" suffix(, 0)
  }},
  {"hazards/late-deletion.yml", (const char[]){
#embed "../../Scenarios/hazards/late-deletion.yml" suffix(, 0)
  }},
  {"hazards/late-merge.yml", (const char[]){
#embed "../../Scenarios/hazards/late-merge.yml" suffix(, 0)
  }},
  {"hazards/lock-order.yml", (const char[]){
#embed "../../Scenarios/hazards/lock-order.yml" suffix(, 0)
  }},
  {"hazards/log-growth.yml", (const char[]){
#embed "../../Scenarios/hazards/log-growth.yml" suffix(, 0)
  }},
  {"hazards/long-fork.yml", (const char[]){
#embed "../../Scenarios/hazards/long-fork.yml" suffix(, 0)
  }},
  {"hazards/lost-update.yml", (const char[]){
#embed "../../Scenarios/hazards/lost-update.yml" suffix(, 0)
  }},
  {"hazards/main-context-in-background.yml", (const char[]){
#embed "../../Scenarios/hazards/main-context-in-background.yml" suffix(, 0)
  }},
  {"hazards/main-saved-in-child.yml", (const char[]){
#embed "../../Scenarios/hazards/main-saved-in-child.yml" suffix(, 0)
  }},
  {"hazards/main-sync-in-perform.yml", (const char[]){
#embed "../../Scenarios/hazards/main-sync-in-perform.yml" suffix(, 0)
  }},
  {"hazards/main-thread-stall.yml", (const char[]){
#embed "../../Scenarios/hazards/main-thread-stall.yml" suffix(, 0)
  }},
  {"hazards/merge-while-main-waits.yml", (const char[]){
#embed "../../Scenarios/hazards/merge-while-main-waits.yml" suffix(, 0)
  }},
  {"hazards/misordered-transaction.yml", (const char[]){
#embed "../../Scenarios/hazards/misordered-transaction.yml" suffix(, 0)
  }},
  {"hazards/missed-transaction.yml", (const char[]){
#embed "../../Scenarios/hazards/missed-transaction.yml" suffix(, 0)
  }},
  {"hazards/moving-view.yml", (const char[]){
#embed "../../Scenarios/hazards/moving-view.yml" suffix(, 0)
  }},
  {"hazards/non-monotonic-read.yml", (const char[]){
#embed "../../Scenarios/hazards/non-monotonic-read.yml" suffix(, 0)
  }},
  {"hazards/object-faulted-elsewhere.yml", (const char[]){
#embed "../../Scenarios/hazards/object-faulted-elsewhere.yml" suffix(, 0)
  }},
  {"hazards/object-off-queue.yml", (const char[]){
#embed "../../Scenarios/hazards/object-off-queue.yml" suffix(, 0)
  }},
  {"hazards/observer-leak.yml", (const char[]){
#embed "../../Scenarios/hazards/observer-leak.yml" suffix(, 0)
  }},
  {"hazards/operation-made-on-main.yml", (const char[]){
#embed "../../Scenarios/hazards/operation-made-on-main.yml" suffix(, 0)
  }},
  {"hazards/orphan-record.yml", (const char[]){
#embed "../../Scenarios/hazards/orphan-record.yml" suffix(, 0)
  }},
  {"hazards/own-transaction-merged.yml", (const char[]){
#embed "../../Scenarios/hazards/own-transaction-merged.yml" suffix(, 0)
  }},
  {"hazards/perform-on-confined.yml", (const char[]){
#embed "../../Scenarios/hazards/perform-on-confined.yml" suffix(, 0)
  }},
  {"hazards/poisoned-context.yml", (const char[]){
#embed "../../Scenarios/hazards/poisoned-context.yml" suffix(, 0)
  }},
  {"hazards/prefault-after-delete.yml", (const char[]){
#embed "../../Scenarios/hazards/prefault-after-delete.yml" suffix(, 0)
  }},
  {"hazards/read-only-context-written.yml", (const char[]){
#embed "../../Scenarios/hazards/read-only-context-written.yml" suffix(, 0)
  }},
  {"hazards/read-skew.yml", (const char[]){
#embed "../../Scenarios/hazards/read-skew.yml" suffix(, 0)
  }},
  {"hazards/read-your-writes.yml", (const char[]){
#embed "../../Scenarios/hazards/read-your-writes.yml" suffix(, 0)
  }},
  {"hazards/repeated-transaction.yml", (const char[]){
#embed "../../Scenarios/hazards/repeated-transaction.yml" suffix(, 0)
  }},
  {"hazards/reposted-notification.yml", (const char[]){
#embed "../../Scenarios/hazards/reposted-notification.yml" suffix(, 0)
  }},
  {"hazards/resurrected-record.yml", (const char[]){
#embed "../../Scenarios/hazards/resurrected-record.yml" suffix(, 0)
  }},
  {"hazards/save-outside-perform.yml", (const char[]){
#embed "../../Scenarios/hazards/save-outside-perform.yml" suffix(, 0)
  }},
  {"hazards/save-per-object.yml", (const char[]){
#embed "../../Scenarios/hazards/save-per-object.yml" suffix(, 0)
  }},
  {"hazards/second-writer.yml", (const char[]){
#embed "../../Scenarios/hazards/second-writer.yml" suffix(, 0)
  }},
  {"hazards/stale-read.yml", (const char[]){
#embed "../../Scenarios/hazards/stale-read.yml" suffix(, 0)
  }},
  {"hazards/store-reset.yml", (const char[]){
#embed "../../Scenarios/hazards/store-reset.yml" suffix(, 0)
  }},
  {"hazards/swallowed-error.yml", (const char[]){
#embed "../../Scenarios/hazards/swallowed-error.yml" suffix(, 0)
  }},
  {"hazards/temporary-id-escaped.yml", (const char[]){
#embed "../../Scenarios/hazards/temporary-id-escaped.yml" suffix(, 0)
  }},
  {"hazards/token-regression.yml", (const char[]){
#embed "../../Scenarios/hazards/token-regression.yml" suffix(, 0)
  }},
  {"hazards/torn-read.yml", (const char[]){
#embed "../../Scenarios/hazards/torn-read.yml" suffix(, 0)
  }},
  {"hazards/touched-relationship.yml", (const char[]){
#embed "../../Scenarios/hazards/touched-relationship.yml" suffix(, 0)
  }},
  {"hazards/unexpected-save.yml", (const char[]){
#embed "../../Scenarios/hazards/unexpected-save.yml" suffix(, 0)
  }},
  {"hazards/unguarded-collision.yml", (const char[]){
#embed "../../Scenarios/hazards/unguarded-collision.yml" suffix(, 0)
  }},
  {"hazards/unpersisted-save.yml", (const char[]){
#embed "../../Scenarios/hazards/unpersisted-save.yml" suffix(, 0)
  }},
  {"hazards/untold-batch-update.yml", (const char[]){
#embed "../../Scenarios/hazards/untold-batch-update.yml" suffix(, 0)
  }},
  {"hazards/write-skew.yml", (const char[]){
#embed "../../Scenarios/hazards/write-skew.yml" suffix(, 0)
  }},
  {"hazards/wrong-queue.yml", (const char[]){
#embed "../../Scenarios/hazards/wrong-queue.yml" suffix(, 0)
  }},
  {"hazards/wrong-value.yml", (const char[]){
#embed "../../Scenarios/hazards/wrong-value.yml" suffix(, 0)
  }},
  {"hazards/wrong-winner.yml", (const char[]){
#embed "../../Scenarios/hazards/wrong-winner.yml" suffix(, 0)
  }},
  {"history-purge.yml", (const char[]){
#embed "../../Scenarios/history-purge.yml" suffix(, 0)
  }},
  {"id-handoff.yml", (const char[]){
#embed "../../Scenarios/id-handoff.yml" suffix(, 0)
  }},
  {"import.yml", (const char[]){
#embed "../../Scenarios/import.yml" suffix(, 0)
  }},
  {"list-append.yml", (const char[]){
#embed "../../Scenarios/list-append.yml" suffix(, 0)
  }},
  {"long-reader.yml", (const char[]){
#embed "../../Scenarios/long-reader.yml" suffix(, 0)
  }},
  {"merge-conflict.yml", (const char[]){
#embed "../../Scenarios/merge-conflict.yml" suffix(, 0)
  }},
  {"models/Library.xcdatamodeld/.xccurrentversion", (const char[]){
#embed "../../Scenarios/models/Library.xcdatamodeld/.xccurrentversion" suffix(, 0)
  }},
  {"models/Library.xcdatamodeld/Library.xcdatamodel/contents", (const char[]){
#embed "../../Scenarios/models/Library.xcdatamodeld/Library.xcdatamodel/contents" suffix(, 0)
  }},
  {"nested-perform-and-wait.yml", (const char[]){
#embed "../../Scenarios/nested-perform-and-wait.yml" suffix(, 0)
  }},
  {"own-model.yml", (const char[]){
#embed "../../Scenarios/own-model.yml" suffix(, 0)
  }},
  {"pending-changes.yml", (const char[]){
#embed "../../Scenarios/pending-changes.yml" suffix(, 0)
  }},
  {"relogin-sync.yml", (const char[]){
#embed "../../Scenarios/relogin-sync.yml" suffix(, 0)
  }},
  {"schedules/context-off-queue.schedule", (const char[]){
#embed "../../Scenarios/schedules/context-off-queue.schedule" suffix(, 0)
  }},
  {"schedules/deadlock.schedule", (const char[]){
#embed "../../Scenarios/schedules/deadlock.schedule" suffix(, 0)
  }},
  {"schedules/list-append.schedule", (const char[]){
#embed "../../Scenarios/schedules/list-append.schedule" suffix(, 0)
  }},
  {"schedules/lost-update.schedule", (const char[]){
#embed "../../Scenarios/schedules/lost-update.schedule" suffix(, 0)
  }},
  {"schedules/object-off-queue.schedule", (const char[]){
#embed "../../Scenarios/schedules/object-off-queue.schedule" suffix(, 0)
  }},
  {"schedules/orphan-record.schedule", (const char[]){
#embed "../../Scenarios/schedules/orphan-record.schedule" suffix(, 0)
  }},
  {"schedules/read-skew.schedule", (const char[]){
#embed "../../Scenarios/schedules/read-skew.schedule" suffix(, 0)
  }},
  {"schedules/stale-read.schedule", (const char[]){
#embed "../../Scenarios/schedules/stale-read.schedule" suffix(, 0)
  }},
  {"schedules/temporary-id-escaped.schedule", (const char[]){
#embed "../../Scenarios/schedules/temporary-id-escaped.schedule" suffix(, 0)
  }},
  {"schedules/torn-read.schedule", (const char[]){
#embed "../../Scenarios/schedules/torn-read.schedule" suffix(, 0)
  }},
  {"schedules/write-skew.schedule", (const char[]){
#embed "../../Scenarios/schedules/write-skew.schedule" suffix(, 0)
  }},
  {"set.yml", (const char[]){
#embed "../../Scenarios/set.yml" suffix(, 0)
  }},
  {"shootout.yml", (const char[]){
#embed "../../Scenarios/shootout.yml" suffix(, 0)
  }},
  {"soak-processes.yml", (const char[]){
#embed "../../Scenarios/soak-processes.yml" suffix(, 0)
  }},
  {"soak.yml", (const char[]){
#embed "../../Scenarios/soak.yml" suffix(, 0)
  }},
  {"store-lifecycle.yml", (const char[]){
#embed "../../Scenarios/store-lifecycle.yml" suffix(, 0)
  }},
  {"two-writers.yml", (const char[]){
#embed "../../Scenarios/two-writers.yml" suffix(, 0)
  }},
  {"ui-churn.yml", (const char[]){
#embed "../../Scenarios/ui-churn.yml" suffix(, 0)
  }},
};

static const char arrangements[] = {
#embed "../../Examples/Arrangements/Arrangements.swift" suffix(, 0)
};

const char *cscenarios_arrangements(void) { return arrangements; }

size_t cscenarios_count(void) { return sizeof files / sizeof files[0]; }

struct cscenarios_file cscenarios_file(size_t index) { return files[index]; }
