import { randomBytes } from 'node:crypto'
import { type Address, hashTypedData, type Hex } from 'viem'
import type { Listing } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { secondsFrom } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { hmac, isHmacOf } from '../../core/secrets.ts'
import { isSignedBy } from '../../platform/auth/is-signed-by.ts'

/** An action that the owner of an address may take on a voucher purchase in its name. */
type AddressAction = 'CLOSE' | 'TAKE_OVER'
/** `address`: the buyer's, whoever made the purchase. */
type Subject = { listing: Pick<Listing, 'id' | 'networkId'>; address: Address; action: AddressAction }
export type SignedChallenge = { nonce: string; signature: Hex }

const LIFETIME_SECONDS = 600

const TYPES = {
  PurchaseAction: [
    { name: 'listingId', type: 'string' },
    { name: 'address', type: 'address' },
    { name: 'action', type: 'string' },
    { name: 'nonce', type: 'string' },
  ],
} as const

/** The EIP-712 typed data in the form that viem's and wallets' `signTypedData` take. */
const typedDataOf = ({ listing, address, action }: Subject, nonce: string) => ({
  domain: { name: 'Vitrine', version: '1', chainId: listing.networkId },
  types: TYPES,
  primaryType: 'PurchaseAction' as const,
  message: { listingId: listing.id, address, action, nonce },
})

/**
 * The nonce carries its expiry and an HMAC over what it is for, so that only ours are accepted and nothing is stored
 * until one is used.
 */
const macParts = ({ listing, address, action }: Subject, expires: string, salt: string) =>
  [listing.id, address, action, expires, salt] as const

/** A new challenge; each call gives a different one. */
export function newAddressChallenge(subject: Subject, now: Date) {
  const expiresAt = secondsFrom(now, LIFETIME_SECONDS)
  const [expires, salt] = [String(expiresAt.getTime()), randomBytes(12).toString('base64url')]
  const nonce = [
    expires,
    salt,
    hmac('purchase-challenge', ...macParts(subject, expires, salt)).toString('base64url'),
  ].join('.')
  return { typed_data: typedDataOf(subject, nonce), expires_at: expiresAt }
}

const refuse = (detail: string) => new AppError('signature_invalid', detail)

/**
 * Throws `signature_invalid` unless the address signed a challenge for this that hasn't expired. A contract wallet is
 * asked (ERC-1271), so call it before any transaction; `useChallenge` then makes sure that the challenge is used once.
 */
export async function assertSignedBy(ctx: Context, subject: Subject, signed: SignedChallenge): Promise<void> {
  if (!isOurs(subject, signed.nonce, ctx.now()))
    throw refuse('This challenge has expired, or is for something else. Get a new one and sign that.')
  const hash = hashTypedData(typedDataOf(subject, signed.nonce))
  const chain = ctx.ports.chains.get(subject.listing.networkId)
  if (await isSignedBy(subject.address, hash, signed.signature, chain)) return
  throw refuse('This is not the signature of the purchase’s address.')
}

function isOurs(subject: Subject, nonce: string, now: Date): boolean {
  const [expires, salt, mac, ...rest] = nonce.split('.')
  if (!expires || !salt || !mac || rest.length > 0) return false
  const isMade = isHmacOf(Buffer.from(mac, 'base64url'), 'purchase-challenge', ...macParts(subject, expires, salt))
  return isMade && Number(expires) > now.getTime()
}

/** Uses a challenge up, in the transaction of what it is for. Throws `signature_invalid` when it was used before. */
export async function useChallenge(tx: Context, { nonce }: SignedChallenge): Promise<void> {
  await tx.db.usedChallenge.deleteMany({ where: { expiresAt: { lte: tx.now() } } })
  const expiresAt = new Date(Number(nonce.split('.')[0]))
  const used = { organizationId: tx.organizationId, nonce, expiresAt }
  const { count } = await tx.db.usedChallenge.createMany({ data: used, skipDuplicates: true })
  if (count === 0) throw refuse('This signature was used before. Get a new challenge and sign that.')
}
