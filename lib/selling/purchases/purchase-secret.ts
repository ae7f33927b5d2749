import { purchaseSecretHash } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { hmac } from '../../core/secrets.ts'

/** What opens a purchase's status. It is made anew whenever it is needed and never stored, so that a mail can carry it too. */
export const purchaseSecretOf = (id: string): string => hmac('purchase-secret', id).toString('base64url')

/** It is found by this. */
export const secretHashOf = (id: string) => purchaseSecretHash(purchaseSecretOf(id))

/** The secret stands behind the #: browsers keep that to themselves. */
export const purchaseUrlOf = (ctx: Pick<Context, 'ports'>, id: string): string =>
  `${ctx.ports.addresses.origin}/p/${id}#${purchaseSecretOf(id)}`
