import { type Address, type Hex, hexToBytes, isAddressEqual, zeroAddress } from 'viem'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createTransfer as endpoint } from '../../platform/api/transfers.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { assertNotSuspended } from '../../platform/auth/suspended.ts'
import { DAY } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { sameBytes } from '../../core/secrets.ts'
import { openTransaction } from '../../orders/open-transaction.ts'
import { isRecovering, recoveringError } from '../../orders/recovering.ts'
import { findTransferLimit, holderPays, lockTransferBudget } from '../../orders/transfer-budget.ts'
import type { SignedTransfer } from '../../core/contracts/signed-transfers.ts'
import { ESCROW_SHOWN } from '../escrows/show-escrow.ts'
import { assertEscrowPossible, assertMailable, costOfEscrow, writeEscrow } from '../escrows/request-escrow.ts'
import { findToken, type Token } from './find-token.ts'
import { quoteTransfer } from './quote-transfer.ts'
import { TRANSFER_SHOWN, transferOf } from './show-transfer.ts'

type Body = Input<typeof endpoint>['body']

/** A transfer must leave this much time to be mined. */
const LEAST_SECONDS = 60

/**
 * Accepts a transfer that a token's holder signed: it is simulated, and written with the transaction that sends it and
 * what it may cost. With an email, an escrow is written with it, and the cost of what follows counts, too. The same
 * request gives the same transfer. Throws `holder_pays` beyond what the organization pays, and with the reason what the
 * network would refuse. Until the signature is proved, by the network or as one that it has proved before, nothing that
 * others asked for shows in an answer.
 */
export async function requestTransfer(anyone: Context, body: Body): Promise<Output<typeof endpoint>> {
  const token = await findToken(anyone, body)
  const { ctx } = token
  const asked = { order: orderIn(token, body), email: body.email ?? null, signature: body.signature as Hex }
  const earlier = async () => {
    const row = await findEarlier(ctx, token, asked)
    const isProved = row && sameBytes(hexToBytes(row.signature as Hex), hexToBytes(asked.signature))
    return isProved ? transferOf(ctx, assertSame(row, token, asked)) : null
  }
  return (
    (await earlier()) ??
    makeTransfer(token, asked).catch(async (error: unknown) => {
      // It may be refused for what the same request, made at the same time, has done.
      const meanwhile = await earlier()
      if (meanwhile) return meanwhile
      throw error
    })
  )
}

type SignedRequest = { order: SignedTransfer; email: string | null; signature: Hex }

async function makeTransfer(token: Token, asked: SignedRequest): Promise<Output<typeof endpoint>> {
  const { ctx } = token
  const { order, email, signature } = asked
  assertTransferable(ctx, token, order)
  if (email !== null) assertEscrowPossible(token, order)
  await assertNotSuspended(ctx, { collectionId: token.collectionId })
  if (await isRecovering(ctx, token.collectionId)) throw recoveringError()
  const { maxFeePerGas, ...quote } = await quoteTransfer(ctx, token.chain, { ...token, order, signature })
  const escrowWei = email === null ? 0n : costOfEscrow(maxFeePerGas)
  const transfer = await inTransaction(ctx, async (tx) => {
    await lockTransferBudget(tx, token.chain.network.id)
    const meanwhile = await findEarlier(tx, token, asked)
    if (meanwhile) return transferOf(tx, assertSame(meanwhile, token, asked))
    await assertPaid(tx, token, order, quote.costWei + escrowWei)
    // Under the lock, so that two at once are counted one after the other.
    if (email !== null) await assertMailable(tx, email)
    const row = await writeTransfer(tx, token, { order, signature, ...quote })
    if (email === null) return transferOf(tx, row)
    await writeEscrow(tx, token, { id: row.id, email, order, gasWei: escrowWei })
    return transferOf(tx, (await findEarlier(tx, token, asked))!)
  })
  crashPoint('transfer_requested')
  return transfer
}

const orderIn = ({ tokenId }: Token, body: Body): SignedTransfer => ({
  tokenId,
  quantity: body.quantity ?? 1n,
  from: body.from_address as Address,
  to: body.to_address as Address,
  nonce: body.nonce,
  deadline: BigInt(body.deadline),
})

/** The transfer of the same holder and nonce. */
async function findEarlier(ctx: Context, { collectionId }: Token, { order }: SignedRequest) {
  const where = { collectionId, fromAddress: order.from, nonce: order.nonce.toString() }
  // Mostly there is none, and nothing else to read.
  const earlier = await ctx.db.signedTransfer.findFirst({ where, select: { id: true } })
  if (!earlier) return null
  return ctx.db.signedTransfer.findFirstOrThrow({
    where: { id: earlier.id },
    include: {
      ...TRANSFER_SHOWN,
      escrow: { select: { ...ESCROW_SHOWN.select, email: true } },
      transaction: { select: { signed: { select: { hash: true }, take: 1 } } },
    },
  })
}

/**
 * The earlier transfer, where it is the one that is asked for. Throws `transfer_exists` where it is another one. Once
 * it was sent its signature can be read on the chain, and proves nothing of a mailbox: the one that came with it first
 * holds, whichever is named.
 */
function assertSame(
  row: NonNullable<Awaited<ReturnType<typeof findEarlier>>>,
  { itemId }: Token,
  { order, email }: SignedRequest,
) {
  const isSent = row.transaction.signed.length > 0
  const isSame =
    row.itemId === itemId &&
    row.quantity === order.quantity &&
    row.toAddress === order.to &&
    row.deadline === order.deadline &&
    (isSent ? (row.escrow !== null) === (email !== null) : (row.escrow?.email ?? null) === email)
  if (isSame) return row
  throw fieldError('transfer_exists', 'nonce', 'Another transfer was signed with this nonce. Sign with a new one.')
}

/** Throws for what the contract or good sense refuses, before the network is asked. */
function assertTransferable(
  ctx: Context,
  { tokenType, takesSignatures, isSoulbound }: Token,
  order: SignedTransfer,
): void {
  const { quantity, from, to, deadline } = order
  if (isSoulbound) throw new AppError('transfer_unsupported', 'Tokens of this collection can’t be transferred.')
  if (!takesSignatures)
    throw new AppError(
      'transfer_unsupported',
      'This collection’s contract takes no signed transfers. ' +
        'Its holders send tokens from their wallets, and pay the gas.',
    )
  if (tokenType === 'ERC721' && quantity !== 1n)
    throw fieldError(
      'transfer_refused',
      'quantity',
      'An ERC-721 token is one of a kind: its quantity is 1.',
      'quantity',
    )
  if (isAddressEqual(to, zeroAddress))
    throw fieldError('address_cannot_receive', 'to_address', 'The zero address belongs to nobody. Choose another one.')
  if (isAddressEqual(from, to))
    throw fieldError('address_cannot_receive', 'to_address', 'The token is there already. Choose another address.')
  const left = Number(deadline) - ctx.now().getTime() / 1000
  if (left < LEAST_SECONDS)
    throw fieldError('transfer_refused', 'deadline', 'The deadline must lie at least a minute ahead.', 'expired')
  if (left > DAY + LEAST_SECONDS)
    throw fieldError('transfer_refused', 'deadline', 'The deadline must lie at most a day ahead.', 'too_late')
}

async function assertPaid(ctx: Context, token: Token, order: SignedTransfer, costWei: bigint): Promise<void> {
  const { itemId, tokenType, chain } = token
  const sent = { itemId, isUnique: tokenType === 'ERC721', from: order.from }
  const limit = await findTransferLimit(ctx, chain.network, sent, costWei)
  if (limit) throw holderPays(limit)
}

type Accepted = { order: SignedTransfer; signature: Hex; costWei: bigint; sinceBlock: bigint }

async function writeTransfer(tx: Context, token: Token, { order, signature, costWei, sinceBlock }: Accepted) {
  const id = newId()
  const { collectionId, itemId, chain } = token
  const networkId = chain.network.id
  const transactionId = await openTransaction(tx, {
    collectionId,
    networkId,
    txType: 'SIGNED_TRANSFER',
    payload: { transfer_id: id },
    gasWei: costWei,
    isClosed: true,
  })
  const row = await tx.db.signedTransfer.create({
    data: {
      id,
      organizationId: tx.organizationId,
      collectionId,
      itemId,
      transactionId,
      networkId,
      tokenId: String(order.tokenId),
      quantity: order.quantity,
      fromAddress: order.from,
      toAddress: order.to,
      nonce: order.nonce.toString(),
      deadline: order.deadline,
      signature,
      sinceBlock,
      createdAt: tx.now(),
    },
    include: TRANSFER_SHOWN,
  })
  const { signature: _, collection: __, escrow: ___, ...facts } = row
  await recordAudit(tx, { action: 'transfer.requested', subject: { type: 'transfer', id }, after: facts })
  return row
}
