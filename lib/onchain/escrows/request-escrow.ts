import type { Address } from 'viem'
import type { Context } from '../../platform/auth/context.ts'
import { assertNotSuppressed } from '../../messaging/email-integrations/find-suppression.ts'
import { DAY, HOUR, secondsFrom } from '../../core/clock.ts'
import type { SignedTransfer } from '../../core/contracts/signed-transfers.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { MAX_GAS_PER_MINT } from '../../core/gas.ts'
import { mailboxOf } from '../../core/mailbox.ts'
import type { Token } from '../transfers/find-token.ts'

/** How long a token is kept for its recipient. */
export const ESCROW_DAYS = 30

/** How many tokens holders may send to one mailbox in 24 hours: it is mailed what nobody there asked for. */
const MOST_OF_MAILBOX = 3

/**
 * The operator to which the holder signs a token over for a mailbox; null where tokens of this kind can't be kept for
 * somebody.
 */
export const escrowOperatorOf = ({ ctx, tokenType, takesSignatures, isSoulbound }: Token): Address | null =>
  tokenType === 'ERC721' && takesSignatures && !isSoulbound ? (ctx.ports.keys.operators[0] ?? null) : null

/**
 * The most that handing a token over and returning it may cost together, in wei. Both are needed where a delivery
 * fails.
 */
export const costOfEscrow = (maxFeePerGas: bigint): bigint => 2n * MAX_GAS_PER_MINT * maxFeePerGas

/** Throws for a token that can't be kept for a mailbox. */
export function assertEscrowPossible(token: Token, { to }: SignedTransfer): void {
  if (escrowOperatorOf(token) === null)
    throw new AppError(
      'transfer_unsupported',
      'Tokens of this collection can’t be sent to a mailbox: that takes an ERC-721 contract with signed ' +
        'transfers. Send it to an address.',
    )
  if (!token.ctx.ports.keys.operators.includes(to))
    throw fieldError(
      'transfer_refused',
      'to_address',
      'A token for a mailbox is signed over to the operator that keeps it: escrow.to_address of transfer-terms.',
      'not_custodian',
    )
}

/**
 * Throws for a mailbox that can't be mailed now. Only for whoever holds the token and signed: what it says of a mailbox
 * is nobody else's business.
 */
export async function assertMailable(tx: Context, email: string): Promise<void> {
  await assertNotSuppressed(tx, email, 'Choose another one.')
  const sent = await tx.db.escrow.count({
    where: { mailbox: mailboxOf(email), createdAt: { gt: secondsFrom(tx.now(), -DAY) } },
  })
  if (sent >= MOST_OF_MAILBOX)
    throw new AppError(
      'rate_limited',
      `${MOST_OF_MAILBOX} items were sent to this mailbox within the last 24 hours. ` +
        'Send it tomorrow, or to an address.',
      { retryAfterSeconds: HOUR, extra: { reason: 'mailbox_limit' } },
    )
}

type NewEscrow = { id: string; email: string; order: SignedTransfer; gasWei: bigint }

/**
 * Writes what happens to a transferred token once it has arrived. Call it in the transaction that writes the transfer.
 */
export async function writeEscrow(tx: Context, token: Token, { id, email, order, gasWei }: NewEscrow): Promise<void> {
  const { collectionId, itemId, chain } = token
  await tx.db.escrow.create({
    data: {
      id,
      organizationId: tx.organizationId,
      collectionId,
      itemId,
      networkId: chain.network.id,
      fromAddress: order.from,
      operator: order.to,
      email,
      mailbox: mailboxOf(email),
      gasWei: gasWei.toString(),
      createdAt: tx.now(),
    },
  })
}
