import type { Input } from '../../platform/api/endpoint.ts'
import type { giveUpPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import { purchaseHolderContext } from '../../platform/auth/authenticate.ts'
import { type Context, inTransaction, withoutIdempotentResult } from '../../platform/auth/context.ts'
import { assertSignedBy, type SignedChallenge, useChallenge } from './address-challenge.ts'
import { giveUpPurchase, giveUpVoucher } from './give-up-purchase.ts'
import { getUnprovedPurchase } from './unproved-purchase.ts'

/** Gives up a purchase, for whoever has its secret; or, of a voucher purchase, for whoever signs with its address. */
export async function closePurchase(
  anyone: Context,
  id: string,
  { secret, nonce, signature }: Input<typeof endpoint>['query'],
): Promise<undefined> {
  if (nonce && signature) return closeBySignature(anyone, id, { nonce, signature })
  return giveUpPurchase(await purchaseHolderContext(anyone, id, secret ?? ''), id)
}

async function closeBySignature(anyone: Context, id: string, signed: SignedChallenge): Promise<undefined> {
  const { ctx, purchase, address } = await getUnprovedPurchase(anyone, id)
  await assertSignedBy(ctx, { listing: purchase.listing, address, action: 'CLOSE' }, signed)
  return inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    await useChallenge(tx, signed)
    return giveUpVoucher(tx, id, 'Its address closed it with a signature.')
  })
}
