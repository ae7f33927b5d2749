import type { Address, Hex } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, within, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain, Fees } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { advanceMints } from '../mints/advance-mint.ts'
import { advanceTransaction } from './advance-transaction.ts'
import { feesAbove } from './fees.ts'
import { advanceLane, findBlocking, lockLane, nextNonce } from './lane.ts'
import type { PreparedCall } from './prepare-transaction.ts'
import { findSending, type SendingMint, type SendingRow, type SignedRow, type WatchedRow } from './sending-row.ts'

/** `dataFeeWei`: what the network takes besides gas × price (data-fee.ts). */
export type Signing = { call: PreparedCall; gas: bigint; fees: Fees; dataFeeWei: bigint }

/**
 * Takes the lane's next nonce, signs, and stores nonce, bytes and hash, all or nothing: from here on these bytes are
 * broadcast, however often. null when the row or its mints changed since they were simulated.
 */
export async function signFirst(
  worker: WorkerContext,
  chain: Chain,
  operator: Address,
  { id, mints, mined, ...signing }: Signing & { id: string; mints: readonly SendingMint[]; mined: number },
): Promise<SignedRow | null> {
  const networkId = chain.network.id
  return inTransaction(worker, async (tx) => {
    await lockLane(tx, networkId, operator, mined)
    const blocking = await findBlocking(tx, networkId, operator, mined)
    const nonce = blocking.length > 0 ? mined : await nextNonce(tx, networkId, operator, mined)
    const fees = feesAbove(networkId, blocking, signing.fees)
    if (!fees) return null
    const row = await lockRow(tx, id)
    if (!row || row.state !== 'PENDING' || !sameMints(row.mintRequests, mints)) return null
    crashPoint('before_signing')
    const signed = await store(tx, chain, operator, row, { ...signing, fees, nonce, cancels: false })
    await advanceLane(tx, networkId, operator, nonce)
    await within(tx, row.organizationId, async (own) => {
      await advanceTransaction(own, row, 'SUBMITTED', {
        operator,
        nonce,
        txHash: signed.hash,
        gasCostWei: gasCostOf({ ...signing, fees }),
        submittedAt: own.now(),
        failure: null,
      })
      await advanceMints(own, mints, 'SUBMITTED', { txHash: signed.hash })
    })
    return signed
  })
}

/** Signs other bytes for a transaction's nonce: the same call at a higher price, or an empty one that uses the nonce up. */
export async function signReplacement(
  worker: WorkerContext,
  chain: Chain,
  row: WatchedRow,
  { cancels, ...signing }: Signing & { cancels: boolean },
): Promise<SignedRow | null> {
  const operator = row.operator as Address
  return inTransaction(worker, async (tx) => {
    await lockLane(tx, chain.network.id, operator, row.nonce!)
    const fresh = await lockRow(tx, row.id)
    if (!fresh || fresh.state !== 'SUBMITTED' || fresh.nonce !== row.nonce || fresh.txHash !== row.txHash) return null
    const signed = await store(tx, chain, operator, fresh, { ...signing, nonce: row.nonce!, cancels })
    const change = { txHash: signed.hash, gasCostWei: gasCostOf(signing) }
    await tx.db.transaction.updateMany({ where: { id: row.id, state: 'SUBMITTED' }, data: change })
    if (!cancels)
      await tx.db.mintRequest.updateMany({
        where: { transactionId: row.id, state: 'SUBMITTED' },
        data: { txHash: signed.hash },
      })
    return signed
  })
}

async function lockRow(tx: WorkerContext, id: string): Promise<SendingRow | null> {
  await tx.sql(Prisma.sql`SELECT 1 FROM transactions WHERE id = ${id}::uuid FOR UPDATE`)
  return findSending(tx, id)
}

const sameMints = (now: readonly SendingMint[], simulated: readonly SendingMint[]): boolean =>
  now.length === simulated.length && now.every((mint, at) => mint.id === simulated[at]!.id && mint.state === 'WAITING')

const gasCostOf = ({ gas, fees, dataFeeWei }: Signing): string => (gas * fees.maxFeePerGas + dataFeeWei).toString()

async function store(
  tx: WorkerContext,
  chain: Chain,
  operator: Address,
  row: SendingRow,
  { call, gas, fees, nonce, cancels }: Signing & { nonce: number; cancels: boolean },
): Promise<SignedRow> {
  const networkId = chain.network.id
  const { raw, hash }: { raw: Hex; hash: Hex } = await tx.ports.keys.signTransaction(operator, networkId, {
    ...call,
    ...fees,
    gas,
    nonce,
  })
  return tx.db.signedTransaction.create({
    data: {
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
      mintRequestIds: cancels
        ? []
        : row.mintRequests.filter((mint) => mint.state !== 'COMPLETED').map((mint) => mint.id),
      createdAt: tx.now(),
    },
  })
}
