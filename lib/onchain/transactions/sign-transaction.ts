import type { Address, Hex } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import type { Chain, Fees } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { advanceMints } from '../mints/advance-mint.ts'
import { advanceTransaction } from './advance-transaction.ts'
import { advanceLane, lockLane } from './lane.ts'
import type { PreparedCall } from './prepare-transaction.ts'
import { findSending, type SendingMint, type SendingRow, type SignedRow, type WatchedRow } from './sending-row.ts'

export type Signing = { call: PreparedCall; gas: bigint; fees: Fees }

/**
 * Takes the lane's next nonce, signs, and stores nonce, bytes and hash, all or nothing: from here on these bytes are what is
 * sent, however often. null when the row or its mints changed since they were simulated.
 */
export async function signFirst(
  ctx: Context,
  chain: Chain,
  operator: Address,
  { id, mints, mined, ...signing }: Signing & { id: string; mints: readonly SendingMint[]; mined: number },
): Promise<SignedRow | null> {
  return inTransaction(ctx, async (worker) => {
    const nonce = await lockLane(worker, chain.network.id, operator, mined)
    const row = await lockRow(worker, id)
    if (!row || row.state !== 'PENDING' || !sameMints(row.mintRequests, mints)) return null
    const tx = { ...worker, organizationId: row.organizationId }
    crashPoint('before_signing')
    const signed = await store(tx, chain, operator, row, { ...signing, nonce, cancels: false })
    await advanceLane(worker, chain.network.id, operator, nonce)
    await advanceTransaction(tx, row, 'SUBMITTED', {
      operator,
      nonce,
      txHash: signed.hash,
      gasCostWei: gasCostOf(signing),
      submittedAt: tx.now(),
      failure: null,
    })
    await advanceMints(tx, mints, 'SUBMITTED', { txHash: signed.hash })
    return signed
  })
}

/** Other bytes for the nonce a transaction has: the same call at a higher price, or nothing, to use the nonce up. */
export async function signReplacement(
  ctx: Context,
  chain: Chain,
  row: WatchedRow,
  { cancels, ...signing }: Signing & { cancels: boolean },
): Promise<SignedRow | null> {
  const operator = row.operator as Address
  return inTransaction(ctx, async (worker) => {
    await lockLane(worker, chain.network.id, operator, row.nonce!)
    const fresh = await lockRow(worker, row.id)
    if (!fresh || fresh.state !== 'SUBMITTED' || fresh.nonce !== row.nonce || fresh.txHash !== row.txHash) return null
    const tx = { ...worker, organizationId: row.organizationId }
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

async function lockRow(worker: Context, id: string): Promise<SendingRow | null> {
  await worker.sql(Prisma.sql`SELECT 1 FROM transactions WHERE id = ${id}::uuid FOR UPDATE`)
  return findSending(worker, id)
}

const sameMints = (now: readonly SendingMint[], simulated: readonly SendingMint[]): boolean =>
  now.length === simulated.length && now.every((mint, at) => mint.id === simulated[at]!.id && mint.state === 'WAITING')

const gasCostOf = ({ gas, fees }: Signing): string => (gas * fees.maxFeePerGas).toString()

async function store(
  tx: Context,
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
