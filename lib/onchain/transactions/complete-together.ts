import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { crashPoint } from '../../core/crash.ts'
import { carryOutTogether, type Together } from '../../core/group-commit.ts'
import { log } from '../../core/log.ts'
import { isLeaseLost, isTemporary } from '../../db/errors.ts'
import type { Network } from '../../ports/chain/chain.ts'
import { advanceMints } from '../mints/advance-mint.ts'
import { completeTransactions } from './advance-transaction.ts'
import type { Mined } from './agreed-receipt.ts'
import { isDeepEnough, placeOf } from './apply-receipt.ts'
import { carriedBy, outcomesOf } from './outcomes-of.ts'
import {
  carriesMints,
  findEachSending,
  requestsOf,
  type SendingMint,
  type SendingRow,
  type WatchedRow,
} from './sending-row.ts'
import type { Tip } from './tip.ts'

/** How many transactions of an organization are completed in one database transaction. */
export const COMPLETED_TOGETHER = 50
const MOST_WAITING = 10_000

/**
 * Whether a transaction was mined, confirmed, and did what it was sent for, as far as its receipt says without its
 * mints.
 */
export const mayBeCompletedTogether = (network: Network, row: WatchedRow, mined: Mined | null, tip: Tip): boolean =>
  mined !== null &&
  !mined.signed.cancels &&
  mined.receipt.status === 'success' &&
  row.mintCount <= 1 &&
  row.txType !== 'DEPLOY_TOKEN_CONTRACT' &&
  row.txType !== 'SET_ROLES' &&
  row.txType !== 'SIGNED_TRANSFER' &&
  isDeepEnough(network, mined.receipt, tip)

type Completion = { worker: SystemContext; row: WatchedRow; mined: Mined }

/**
 * Completes a transaction, together with others of its organization that are completed at the same time. false: nothing
 * was done, since its mint isn't in the receipt; `applyReceipt` decides about it.
 */
export const completeTogether = (worker: SystemContext, row: WatchedRow, mined: Mined): Promise<boolean> =>
  carryOutTogether(togetherOf(row), { worker, row, mined })

const togetherOf = ({ organizationId, networkId }: WatchedRow): Together<Completion, boolean> => ({
  key: `complete ${networkId} ${organizationId}`,
  most: COMPLETED_TOGETHER,
  waiting: MOST_WAITING,
  work: (orders) => complete(organizationId, orders),
  isShared: (error) => isTemporary(error) || isLeaseLost(error),
})

async function complete(organizationId: string, orders: readonly Completion[]): Promise<boolean[]> {
  crashPoint('after_mining')
  const done = await withinTransaction(orders[0]!.worker, organizationId, async (tx) => {
    const ids = orders.map(({ row }) => row.id)
    const rows = await findEachSending(tx, ids, 'SUBMITTED')
    const done = orders.flatMap(({ row, mined }) => {
      const fresh = rows.get(row.id)
      const mints = fresh && mintsDone(fresh, mined)
      return mints ? { row: fresh, mined, mints } : []
    })
    if (done.length === 0) return []
    const completed = done.map(({ row, mined: { signed, receipt } }) => ({
      row,
      place: placeOf(signed, receipt),
      onChainStatus: 'SUCCESS' as const,
      failure: null,
    }))
    await completeTransactions(tx, completed)
    const txHashes = new Map(
      done.flatMap(({ mints, mined }) => mints.map(({ id }) => [id, mined.signed.hash] as const)),
    )
    await advanceMints(
      tx,
      done.flatMap(({ mints }) => mints),
      'COMPLETED',
      { txHashes },
    )
    return done
  })
  for (const { row, mined } of done)
    log.info({ ...requestsOf(row), hash: mined.signed.hash }, 'A transaction was completed.')
  const doneIds = new Set(done.map(({ row }) => row.id))
  return orders.map(({ row }) => doneIds.has(row.id))
}

/** The mints that the transaction completes; null where one of them isn't in the receipt. */
function mintsDone(row: SendingRow, { signed, receipt }: Mined): SendingMint[] | null {
  if (!carriesMints(row.txType)) return []
  const submitted = row.mintRequests.filter(({ state }) => state === 'SUBMITTED')
  const { minted, refused } = outcomesOf(row, carriedBy(row, signed), receipt)
  const isWhole = minted.length > 0 && refused.length === 0 && submitted.every((mint) => minted.includes(mint))
  return isWhole ? submitted : null
}
