import type { Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { valueFor } from '../../core/per-network.ts'
import { laneName } from './lane-name.ts'
import type { SignedRow } from './sending-row.ts'

/** A lane, one operator on one network, as its sender finds it. */
export type Lane = {
  /** Nonces below this are used. */
  mined: number
  /** Sent and not mined yet. */
  inFlight: number
  balanceWei: bigint
  /** Wei that no transaction in flight may need. */
  spendableWei: bigint
  /**
   * The nonce of `mined` is taken by bytes that nodes have refused for minutes: the next transaction may use it too.
   */
  isBlocked: boolean
  /** Nothing is signed for the nonce of `mined`, and nothing behind it is mined before something is. */
  isGap: boolean
  /**
   * The chain has mined more than we have signed: the books were put back from a backup, or something else uses the
   * key.
   */
  isBehind: boolean
}

/** How many transactions of one operator may be in flight on a network. */
export const maxInFlight = (networkId: number): number => Number(valueFor(networkId, env.MAX_IN_FLIGHT))

export async function laneOf(worker: SystemContext, chain: Chain, operator: Address): Promise<Lane> {
  const networkId = chain.network.id
  // Before the balance is read: what is mined between is counted twice, rather than not at all.
  // A model call would read all transactions of the network (docs/decisions/0021).
  const [open] = await worker.sql<{ count: number; highest: number | null; gasCostWei: string | null }>(Prisma.sql`
    SELECT count(*)::int AS count, max(nonce) AS highest, sum(gas_cost_wei)::text AS "gasCostWei" FROM transactions
    WHERE network_id = ${networkId} AND operator = ${operator} AND state = 'SUBMITTED' AND block_number IS NULL`)
  const [{ mined, isBehind }, balance] = await Promise.all([
    comparedNonce(worker, chain, operator),
    chain.balance(operator),
  ])
  const blocking = await findBlocking(worker, networkId, operator, mined)
  const isGap = (open!.highest ?? 0) > mined && (await isFree(worker, networkId, operator, mined))
  const spendableWei = balance - BigInt(open!.gasCostWei ?? 0)
  return {
    mined,
    inFlight: open!.count,
    balanceWei: balance,
    spendableWei,
    isBlocked: blocking.length > 0,
    isGap,
    isBehind,
  }
}

/** How often a node must name a count that goes beyond our books. */
const TIMES_TO_BELIEVE = 5

/**
 * The account's next nonce by the chain, and whether that is beyond what we have signed. Such a count is believed only
 * when it is repeated: a nonce above the true one would leave a gap, and nothing behind a gap is mined. A lane that the
 * books don't have is behind nothing.
 */
export async function comparedNonce(
  worker: SystemContext,
  chain: Chain,
  operator: Address,
): Promise<{ mined: number; isBehind: boolean }> {
  const lane = { networkId: chain.network.id, operator }
  const known = await worker.db.operatorLane.findUnique({ where: { networkId_operator: lane } })
  const signedTo = known?.nextNonce ?? 0
  let mined = await chain.nonce(operator, 'latest')
  for (let times = 1; times < TIMES_TO_BELIEVE && mined > signedTo; times++)
    mined = Math.min(mined, await chain.nonce(operator, 'latest'))
  return { mined, isBehind: known !== null && mined > signedTo }
}

/** Refused for this long, bytes don't keep their nonce to themselves any more. */
const REFUSED_SECONDS = 180

export const isRefusedForLong = (worker: SystemContext, { refusedAt }: Pick<SignedRow, 'refusedAt'>): boolean =>
  refusedAt !== null && refusedAt <= secondsFrom(worker.now(), -REFUSED_SECONDS)

/**
 * The bytes that block a lane: the newest of each transaction bound to its next nonce, where nodes have refused all of
 * them for minutes. Another transaction may share their nonce then: at most one of them can be mined, and the others
 * wait for another nonce once that is final. Empty: nothing blocks the lane.
 */
export async function findBlocking(
  worker: SystemContext,
  networkId: number,
  operator: string,
  nonce: number,
): Promise<SignedRow[]> {
  const bound = await worker.sql<{ id: string }>(Prisma.sql`
    SELECT id::text FROM transactions
    WHERE network_id = ${networkId} AND operator = ${operator} AND nonce = ${nonce} AND state = 'SUBMITTED'
      AND block_number IS NULL`)
  if (bound.length === 0) return []
  const rows = await worker.db.transaction.findMany({
    where: { id: { in: bound.map(({ id }) => id) } },
    select: { signed: { where: { operator, nonce }, orderBy: { id: 'desc' }, take: 1 } },
  })
  const newest = rows.flatMap(({ signed }) => signed)
  return newest.every((signed) => isRefusedForLong(worker, signed)) ? newest : []
}

/** Locks the lane for the rest of the database transaction: whoever has the lock may sign. */
export async function lockLane(tx: SystemContext, networkId: number, operator: Address, mined: number): Promise<void> {
  await tx.sql(Prisma.sql`
    INSERT INTO operator_lanes (network_id, operator, next_nonce, updated_at)
    VALUES (${networkId}, ${operator}, ${mined}, ${tx.now()}) ON CONFLICT DO NOTHING`)
  await tx.sql(
    Prisma.sql`SELECT 1 FROM operator_lanes WHERE network_id = ${networkId} AND operator = ${operator} FOR UPDATE`,
  )
}

/**
 * The nonces of a locked lane that nothing is signed for, one after another from the lowest, so that a gap is filled
 * first.
 */
export async function freeNonces(
  tx: SystemContext,
  networkId: number,
  operator: Address,
  mined: number,
): Promise<() => number> {
  const rows = await tx.sql<{ nonce: number }>(Prisma.sql`
    SELECT DISTINCT s.nonce FROM signed_transactions s
      JOIN transactions t ON t.id = s.transaction_id AND t.nonce = s.nonce
    WHERE s.network_id = ${networkId} AND s.operator = ${operator} AND s.nonce >= ${mined}`)
  const taken = new Set(rows.map((row) => row.nonce))
  let nonce = mined
  return () => {
    while (taken.has(nonce)) nonce++
    return nonce++
  }
}

/** Whether nothing in the books is bound to this nonce of a lane. */
export const isFree = async (
  worker: SystemContext,
  networkId: number,
  operator: Address,
  nonce: number,
): Promise<boolean> =>
  (await worker.db.signedTransaction.count({ where: { networkId, operator, nonce, transaction: { nonce } } })) === 0

/** Records the lane's position for display: the next nonce is always computed from the signed bytes. */
export async function advanceLane(
  tx: SystemContext,
  networkId: number,
  operator: Address,
  nonce: number,
): Promise<void> {
  await tx.sql(Prisma.sql`
    UPDATE operator_lanes SET next_nonce = greatest(next_nonce, ${nonce + 1}), updated_at = ${tx.now()}
    WHERE network_id = ${networkId} AND operator = ${operator}`)
}

export const alarmOperatorLow = (worker: SystemContext, networkId: number, operator: string): Promise<void> =>
  raiseAlarm(
    worker,
    'operator_low',
    laneName(networkId, operator),
    `The operator ${operator} can't pay for its transactions on network ${networkId}: fill it up.`,
  )
