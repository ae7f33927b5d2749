import type { Address, Hex } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain, Fees } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { carryOutTogether, type Together } from '../../core/group-commit.ts'
import { newId } from '../../core/id.ts'
import { isLeaseLost, isTemporary } from '../../db/errors.ts'
import { advanceMints } from '../mints/advance-mint.ts'
import { advanceTransfer } from '../transfers/advance-transfer.ts'
import { submitTransactions } from './advance-transaction.ts'
import { feesAbove } from './fees.ts'
import { advanceLane, findBlocking, freeNonces, lockLane } from './lane.ts'
import { laneName } from './lane-name.ts'
import type { PreparedCall } from './prepare-transaction.ts'
import {
  findEachSending,
  findSending,
  mintedBefore,
  type SendingMint,
  type SendingRow,
  type SignedRow,
  type WatchedRow,
} from './sending-row.ts'

/** `dataFeeWei`: what the network takes besides gas × price (data-fee.ts). */
export type Signing = { call: PreparedCall; gas: bigint; fees: Fees; dataFeeWei: bigint }

/** A transaction's first signing. `mints`: those that were simulated. */
export type FirstSigning = Signing & { id: string; mints: readonly SendingMint[] }

type SigningRequest = FirstSigning & { worker: SystemContext; chain: Chain; operator: Address; mined: number }

/** A database transaction ends soon after its last row, and what is signed in it waits for it. */
const MOST_TOGETHER = 50
const MOST_WAITING = 10_000

/**
 * Takes the lane's next nonce, signs, and stores nonce, bytes and hash, all or nothing: from here on these bytes are
 * broadcast, however often. What is to be signed at the same time is signed in one database transaction, in the order
 * of the calls; one at fault fails alone. null when the row or its mints changed since they were simulated. `mined`:
 * nonces below it are used.
 */
export const signFirst = (
  worker: SystemContext,
  chain: Chain,
  operator: Address,
  mined: number,
  signing: FirstSigning,
): Promise<SignedRow | null> =>
  carryOutTogether(togetherOf(chain, operator), { ...signing, worker, chain, operator, mined })

const togetherOf = (chain: Chain, operator: Address): Together<SigningRequest, SignedRow | null> => ({
  key: `sign ${laneName(chain.network.id, operator)}`,
  most: MOST_TOGETHER,
  waiting: MOST_WAITING,
  work: signTogether,
  isShared: (error) => isTemporary(error) || isLeaseLost(error),
})

function signTogether(orders: readonly SigningRequest[]): Promise<(SignedRow | null)[]> {
  const { worker, chain, operator, mined } = orders[0]!
  const networkId = chain.network.id
  return inTransaction(worker, async (tx) => {
    await lockLane(tx, networkId, operator, mined)
    const blocking = await findBlocking(tx, networkId, operator, mined)
    const nextFree = await freeNonces(tx, networkId, operator, mined)
    const rows = await lockWaiting(tx, orders)
    const signed: Signed[] = []
    for (const { id, mints, ...signing } of orders) {
      // Only the first one shares the nonce that is blocked: its bytes aren't refused yet.
      const others = signed.length === 0 ? blocking : []
      const fees = feesAbove(networkId, others, signing.fees)
      const row = rows.get(id)
      if (!fees || !row || !sameMints(row.mintRequests, mints) || mintedBefore(row).length > 0) continue
      crashPoint('before_signing')
      const nonce = others.length > 0 ? mined : nextFree()
      const data = await sign(tx, chain, operator, row, { ...signing, fees, nonce, cancels: false })
      signed.push({ row, mints, nonce, data, gasCostWei: gasCostOf({ ...signing, fees }) })
    }
    if (signed.length === 0) return orders.map(() => null)
    const stored = await tx.db.signedTransaction.createManyAndReturn({ data: signed.map(({ data }) => data) })
    await advanceLane(tx, networkId, operator, Math.max(...signed.map(({ nonce }) => nonce)))
    for (const [organizationId, some] of Map.groupBy(signed, ({ row }) => row.organizationId))
      await within(tx, organizationId, (own) => recordSigned(own, operator, some))
    return orders.map(({ id }) => stored.find(({ transactionId }) => transactionId === id) ?? null)
  })
}

type Signed = {
  row: SendingRow
  mints: readonly SendingMint[]
  nonce: number
  data: NewBytes
  gasCostWei: string
}

async function recordSigned(own: Context, operator: Address, signed: readonly Signed[]): Promise<void> {
  const moved = signed.map(({ row, nonce, data, gasCostWei }) => ({ row, nonce, txHash: data.hash, gasCostWei }))
  await submitTransactions(own, operator, moved)
  const txHashes = new Map(signed.flatMap(({ mints, data }) => mints.map(({ id }) => [id, data.hash] as const)))
  await advanceMints(
    own,
    signed.flatMap(({ mints }) => mints),
    'SUBMITTED',
    { txHashes },
  )
  for (const { row, data } of signed) await advanceTransfer(own, row, 'SUBMITTED', { txHash: data.hash })
}

/**
 * Signs other bytes for a transaction's nonce: the same call at a higher price, or an empty one that uses the nonce up.
 */
export async function signReplacement(
  worker: SystemContext,
  chain: Chain,
  row: WatchedRow,
  { cancels, ...signing }: Signing & { cancels: boolean },
): Promise<SignedRow | null> {
  const operator = row.operator as Address
  return inTransaction(worker, async (tx) => {
    await lockLane(tx, chain.network.id, operator, row.nonce!)
    const fresh = await lockRow(tx, row.id)
    if (!fresh || fresh.state !== 'SUBMITTED' || fresh.nonce !== row.nonce || fresh.txHash !== row.txHash) return null
    const data = await sign(tx, chain, operator, fresh, { ...signing, nonce: row.nonce!, cancels })
    const signed = await tx.db.signedTransaction.create({ data })
    const change = { txHash: signed.hash, gasCostWei: gasCostOf(signing) }
    await tx.db.transaction.updateMany({ where: { id: row.id, state: 'SUBMITTED' }, data: change })
    const carried = { where: { transactionId: row.id, state: 'SUBMITTED' as const }, data: { txHash: signed.hash } }
    if (!cancels) await tx.db.mintRequest.updateMany(carried)
    if (!cancels && row.txType === 'SIGNED_TRANSFER') await tx.db.signedTransfer.updateMany(carried)
    return signed
  })
}

async function lockRow(tx: SystemContext, id: string): Promise<SendingRow | null> {
  await tx.sql(Prisma.sql`SELECT 1 FROM transactions WHERE id = ${id}::uuid FOR UPDATE`)
  return findSending(tx, id)
}

/** Locks the rows that still wait, in one order. */
async function lockWaiting(
  tx: SystemContext,
  orders: readonly SigningRequest[],
): Promise<ReadonlyMap<string, SendingRow>> {
  const ids = orders.map(({ id }) => id)
  await tx.sql(Prisma.sql`SELECT 1 FROM transactions WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`)
  return findEachSending(tx, ids, 'PENDING')
}

const sameMints = (now: readonly SendingMint[], simulated: readonly SendingMint[]): boolean =>
  now.length === simulated.length && now.every((mint, at) => mint.id === simulated[at]!.id && mint.state === 'WAITING')

/** The most that it can cost, in wei. */
export const mostOf = ({ gas, fees, dataFeeWei }: Signing): bigint => gas * fees.maxFeePerGas + dataFeeWei

const gasCostOf = (signing: Signing): string => mostOf(signing).toString()

type NewBytes = Prisma.SignedTransactionCreateManyInput

async function sign(
  tx: SystemContext,
  chain: Chain,
  operator: Address,
  row: SendingRow,
  { call, gas, fees, nonce, cancels }: Signing & { nonce: number; cancels: boolean },
): Promise<NewBytes> {
  const networkId = chain.network.id
  const { raw, hash }: { raw: Hex; hash: Hex } = await tx.ports.keys.signTransaction(operator, networkId, {
    ...call,
    ...fees,
    gas,
    nonce,
  })
  return {
    id: newId(),
    organizationId: row.organizationId,
    transactionId: row.id,
    networkId,
    operator,
    nonce,
    hash,
    raw,
    gasLimit: gas,
    maxFeePerGas: fees.maxFeePerGas.toString(),
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
    cancels,
    mintRequestIds: cancels ? [] : row.mintRequests.filter((mint) => mint.state !== 'COMPLETED').map((mint) => mint.id),
    createdAt: tx.now(),
  }
}
