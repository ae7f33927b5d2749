import { purchaseSecretHash } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { hmac } from '../../core/secrets.ts'

/** The secret that opens a purchase's status. It is derived whenever it is needed and never stored, so that a mail can carry it too. */
export const purchaseSecretOf = (id: string): string => hmac('purchase-secret', id).toString('base64url')

/** What is stored of it. */
export const secretHashOf = (id: string) => purchaseSecretHash(purchaseSecretOf(id))

/** The secret is in the fragment, which browsers don't send. */
export const purchaseUrlOf = (ctx: Pick<Context, 'ports'>, id: string): string =>
  `${ctx.ports.addresses.recipients}/p/${id}#${purchaseSecretOf(id)}`
