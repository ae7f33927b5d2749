import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import { purchaseSecretHash, purchaseSecretParts } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { hmacsOf, sameBytes } from '../../core/secrets.ts'
import { KeyMissing } from '../../core/server-keys.ts'

type Purchase = Pick<PurchaseIntent, 'id' | 'secretGeneration'>
type Hashed = Purchase & Pick<PurchaseIntent, 'secretHash'>
type Stored = Hashed & Pick<PurchaseIntent, 'serverKeyId'>

const candidatesOf = (purchase: Purchase) =>
  hmacsOf('purchase-secret', ...purchaseSecretParts(purchase)).map(({ keyId, mac }) => ({
    keyId,
    secret: mac.toString('base64url'),
  }))

const madeFrom = (purchase: Hashed) =>
  candidatesOf(purchase).find(({ secret }) => isSecretOf(purchase.secretHash, secret))

/** A new purchase's secret by the newest server key, and what is stored of it. */
export function newSecretOf(purchase: Purchase) {
  const [{ keyId, secret }] = candidatesOf(purchase) as [{ keyId: string; secret: string }]
  return { secret, columns: { secretHash: purchaseSecretHash(secret), serverKeyId: keyId } }
}

/**
 * The columns that store a new secret: by the newest server key, or by the one that made an earlier copy of the
 * purchase (`madeBy`), where that is still listed.
 */
export function secretColumnsOf(purchase: Purchase, madeBy?: string) {
  const candidates = candidatesOf(purchase)
  const { keyId, secret } = candidates.find((candidate) => candidate.keyId === madeBy) ?? candidates[0]!
  return { secretHash: purchaseSecretHash(secret), serverKeyId: keyId }
}

/**
 * The secret that opens a purchase's status, by the server key that made it; null when that key isn't listed any more.
 * It is derived whenever it is needed and never stored, so that a mail can carry it too.
 */
export const findPurchaseSecret = (purchase: Hashed): string | null => madeFrom(purchase)?.secret ?? null

/** The id of the server key that made the purchase’s secret; null when it isn't listed any more. */
export const purchaseKeyIdOf = (purchase: Hashed): string | null => madeFrom(purchase)?.keyId ?? null

/** The secret that opens a purchase's status. Throws `KeyMissing` when the key that made it isn't listed any more. */
export function purchaseSecretOf(purchase: Stored): string {
  const secret = findPurchaseSecret(purchase)
  if (secret === null) throw new KeyMissing('This purchase’s link', purchase.serverKeyId)
  return secret
}

/** Whether a secret that somebody shows is the purchase's. */
export const isSecretOf = (secretHash: Uint8Array, secret: string): boolean =>
  sameBytes(secretHash, purchaseSecretHash(secret))

/** The secret is in the fragment, which browsers don't send. */
export const purchaseUrlOf = (ctx: Pick<Context, 'ports'>, purchase: Stored): string =>
  `${ctx.ports.addresses.recipients}/p/${purchase.id}#${purchaseSecretOf(purchase)}`
