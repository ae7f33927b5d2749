import { systemContext } from '../platform/auth/authenticate.ts'
import type { SystemContext } from '../platform/auth/context.ts'
import { HOUR } from '../core/clock.ts'
import type { Lease } from '../db/leases.ts'
import type { Ports } from '../ports/ports.ts'
import { expireClaims } from '../giving/expire-claims.ts'
import { remindClaims } from '../giving/remind-claims.ts'
import { deleteOldLines } from '../data/imports/delete-old-lines.ts'
import { foldCollectionSums } from '../catalog/collections/fold-collection-sums.ts'
import { foldFigures } from '../data/analytics/fold-figures.ts'
import { runImports } from '../data/imports/run-imports.ts'
import { markMetadata } from '../catalog/items/mark-metadata.ts'
import { advanceListingsByTime } from '../offers/listings/advance-listings-by-time.ts'
import { settleEscrows } from '../giving/settle-escrows.ts'
import { liftLocks } from '../giving/lift-locks.ts'
import { expirePurchases } from '../selling/purchases/expire-purchases.ts'
import { returnUnopened } from '../selling/purchases/return-unopened.ts'
import { continuePurchases } from '../selling/purchases/continue-purchases.ts'
import { checkWebDomains } from '../organizations/check-web-domains.ts'
import { tellAlarms } from '../messaging/alarms/tell-alarms.ts'
import { mailAlarms } from '../messaging/alarms/mail-alarms.ts'
import { postAlarms } from '../messaging/alarms/post-alarms.ts'
import { endKeyAlarms } from '../messaging/outbox/missing-keys.ts'
import { wipeOldMail } from '../messaging/outbox/send-mail.ts'
import { deleteOldRows } from '../data/retention/delete-old-rows.ts'
import { endTries } from '../data/retention/end-tries.ts'
import { foldCounts } from '../records/counts/fold-counts.ts'
import { takeSnapshots } from '../data/snapshots/take-snapshots.ts'
import { expireTransfers } from '../onchain/transfers/expire-transfers.ts'
import { expireVouchers } from '../onchain/vouchers/expire-vouchers.ts'
import { noticeDatabaseServer } from '../orders/notice-database-server.ts'
import { listDueAccounts } from '../selling/payments/list-accounts.ts'
import {
  reconcileEverything,
  reconcileOpenPayments,
  reconcilePendingAccounts,
} from '../selling/payments/reconcile-payments.ts'
import { takeLostOldJobs, takeOldJobs } from '../platform/jobs/take-old-jobs.ts'
import { runSandboxCards } from '../ports/sandbox-cards/deliver-events.ts'
import { finishDeletions } from '../messaging/deletions/finish-deletions.ts'
import { checkOperators } from './check-operators.ts'
import { checkChunkRanges } from './check-chunk-ranges.ts'
import { checkVoucherKeys } from './check-voucher-keys.ts'
import { adoptContracts, applyFacts, indexNetwork, recoverBooks } from './index-network.ts'
import { isDueKind } from './due-kinds.ts'
import type { Timer } from './run-timer.ts'
import { sendTransactions, watchTransactions } from './send-transactions.ts'

type Task = { name: string; everySeconds: number; run: (worker: SystemContext) => Promise<unknown> }

/**
 * The tasks of an installation that come again after some seconds. Those whose name is a kind of due-kinds.ts rest
 * while nothing of theirs is due.
 */
export const TIMERS: readonly Task[] = [
  { name: 'expire claims', everySeconds: 5, run: expireClaims },
  { name: 'remind claims', everySeconds: 60, run: remindClaims },
  { name: 'expire vouchers', everySeconds: 5, run: expireAllVouchers },
  { name: 'expire transfers', everySeconds: 5, run: expireAllTransfers },
  { name: 'settle escrows', everySeconds: 5, run: settleAllEscrows },
  { name: 'built-in card provider', everySeconds: 0.5, run: () => runSandboxCards() },
  { name: 'reconcile open payments', everySeconds: 20, run: reconcileOpenPayments },
  { name: 'list card payments', everySeconds: 20, run: listDueAccounts },
  { name: 'reconcile pending card accounts', everySeconds: 60, run: reconcilePendingAccounts },
  { name: 'reconcile everything paid', everySeconds: 3600, run: reconcileEverything },
  { name: 'start and end listings', everySeconds: 5, run: advanceListingsByTime },
  { name: 'finish deletions', everySeconds: 1, run: finishDeletions },
  { name: 'take old jobs', everySeconds: 1, run: takeOldJobs },
  { name: 'take lost old jobs', everySeconds: 10, run: takeLostOldJobs },
  { name: 'run imports', everySeconds: 0.5, run: runImports },
  { name: 'mark metadata', everySeconds: 2, run: markMetadata },
  { name: 'take snapshots', everySeconds: 5, run: takeSnapshots },
  { name: 'fold figures', everySeconds: 2, run: foldFigures },
  { name: 'expire purchases', everySeconds: 5, run: expirePurchases },
  { name: 'settle purchases', everySeconds: 5, run: continuePurchases },
  { name: 'return unopened', everySeconds: 60, run: (worker) => returnUnopened(worker) },
  { name: 'lift locks', everySeconds: 60, run: liftLocks },
  { name: 'notice database server', everySeconds: 5, run: noticeDatabaseServer },
  { name: 'check operators', everySeconds: 20, run: checkOperators },
  { name: 'check voucher keys', everySeconds: 60, run: checkVoucherKeys },
  { name: 'end alarms about server keys', everySeconds: 20, run: endKeyAlarms },
  { name: 'check chunk ranges', everySeconds: 60, run: checkChunkRanges },
  { name: 'check web domains', everySeconds: 60, run: checkWebDomains },
  { name: 'tell alarms', everySeconds: 5, run: (worker) => tellAlarms(worker) },
  { name: 'mail alarms', everySeconds: 5, run: (worker) => mailAlarms(worker) },
  { name: 'post alarms to the operator', everySeconds: 5, run: (worker) => postAlarms(worker) },
  { name: 'end tries', everySeconds: 20, run: endTries },
  { name: 'delete old rows', everySeconds: 600, run: (worker) => deleteOldRows(worker) },
  { name: 'delete old lines of imports', everySeconds: 600, run: (worker) => deleteOldLines(worker) },
  { name: 'wipe old mail', everySeconds: 60, run: wipeOldMail },
  { name: 'fold counts', everySeconds: 5, run: foldCounts },
  { name: 'fold sums of collections', everySeconds: 5, run: foldCollectionSums },
]

/** How long a task pauses at most while the look finds nothing of it due. */
const REST_SECONDS = 60

/** Some timers ask card providers and chains about everything there is. */
const STUCK_SECONDS = 3 * HOUR

/** All that time triggers: what this installation does once, and the tasks of each of its networks. */
export const timersOf = ({ chains, keys }: Pick<Ports, 'chains' | 'keys'>): Timer[] => [
  ...TIMERS.map(({ name, everySeconds, run }) => ({
    name,
    step: async (lease: Lease) => {
      await run(systemContext('timer', { lease }))
      return everySeconds * 1000
    },
    stuckSeconds: STUCK_SECONDS,
    ...(isDueKind(name) && { rest: { kind: name, seconds: Math.max(everySeconds, REST_SECONDS) } }),
  })),
  ...[...chains.values()].flatMap((chain) => [
    ...keys.operators.map((operator) => sendTransactions(chain, operator)),
    watchTransactions(chain),
    indexNetwork(chain),
    applyFacts(chain),
    adoptContracts(chain),
    recoverBooks(chain),
  ]),
]

async function expireAllVouchers(worker: SystemContext): Promise<void> {
  for (const chain of worker.ports.chains.values()) await expireVouchers(worker, chain)
}

async function settleAllEscrows(worker: SystemContext): Promise<void> {
  for (const chain of worker.ports.chains.values()) await settleEscrows(worker, chain)
}

async function expireAllTransfers(worker: SystemContext): Promise<void> {
  for (const chain of worker.ports.chains.values()) await expireTransfers(worker, chain)
}
