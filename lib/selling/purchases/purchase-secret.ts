import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import { purchaseSecretHash } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { hmac, sameBytes } from '../../core/secrets.ts'

type Secret = Pick<PurchaseIntent, 'id' | 'secretGeneration'>

/** The secret that opens a purchase's status. It is derived whenever it is needed and never stored, so that a mail can carry it too. */
export const purchaseSecretOf = ({ id, secretGeneration }: Secret): string =>
  hmac('purchase-secret', id, ...(secretGeneration > 0 ? [secretGeneration] : [])).toString('base64url')

/** What is stored of it. */
export const secretHashOf = (purchase: Secret) => purchaseSecretHash(purchaseSecretOf(purchase))

/** Whether a secret that somebody shows is the purchase's. */
export const isSecretOf = (secretHash: Uint8Array, secret: string): boolean =>
  sameBytes(secretHash, purchaseSecretHash(secret))

/** The secret is in the fragment, which browsers don't send. */
export const purchaseUrlOf = (ctx: Pick<Context, 'ports'>, purchase: Secret): string =>
  `${ctx.ports.addresses.recipients}/p/${purchase.id}#${purchaseSecretOf(purchase)}`
