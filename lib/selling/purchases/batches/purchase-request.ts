import type { Context } from '../../../platform/auth/context.ts'
import type { SignedVoucher } from '../../../onchain/vouchers/sign-voucher.ts'
import type { PurchaseTerms } from '../purchase-terms.ts'

/** A request to buy. `ctx` is the buyer's, in the organization that sells. */
export type PurchaseRequest = {
  ctx: Context
  terms: PurchaseTerms
  origin: string | null
  locale: string | null
  proof: string | null
  secret: string | null
}

/** A voucher that was signed before the units are reserved, with what it was signed for (`basisOf`) and until when. */
export type SignedFor = { signed: SignedVoucher; basis: string; expiresAt: Date }
/** `error`: why it can't be signed. null: none was signed. */
export type Prepared = SignedFor | { error: unknown } | null

export const isByVoucher = ({ terms }: PurchaseRequest): boolean => terms.provider === 'MINT_VOUCHER'
