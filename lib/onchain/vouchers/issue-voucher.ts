import { Prisma, type Voucher } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import type { SignedVoucher } from './sign-voucher.ts'

type Owner = { claimId: string } | { purchaseIntentId: string }

/** Stores a signed voucher. The units stay held by its claim or purchase until it is redeemed or has ended. */
export async function issueVoucher(tx: Context, owner: Owner, signed: SignedVoucher): Promise<Voucher> {
  const row = voucherRowOf(tx, owner, signed, tx.now())
  const { statement, values } = vouchersCall([row])
  await tx.later(statement, ...values)
  return row
}

/** The row of a signed voucher, for `vouchersCall`. */
export const voucherRowOf = (
  tx: Pick<Context, 'organizationId'>,
  owner: Owner,
  { voucher, ...signed }: SignedVoucher,
  now: Date,
): Voucher => ({
  id: newId(),
  organizationId: tx.organizationId,
  claimId: null,
  purchaseIntentId: null,
  ...owner,
  ...signed,
  ...voucher,
  initialRecipientAmount: new Prisma.Decimal(voucher.initialRecipientAmount.toString()),
  price: new Prisma.Decimal(voucher.price.toString()),
  tokenId: voucher.tokenId.toString(),
  state: 'PENDING',
  txHash: null,
  createdAt: now,
  updatedAt: now,
})

const INSERT: Statement = {
  name: 'insert_vouchers',
  text: `INSERT INTO vouchers (id, organization_id, collection_id, item_id, claim_id, purchase_intent_id, network_id, contract, minter, net_recipient,
      initial_recipient, initial_recipient_amount, quantity, nonce, expiry, price, token_id, currency, signature, created_at, updated_at)
    SELECT v.id, v.organization_id, v.collection_id, v.item_id, v.claim_id, v.purchase_intent_id, v.network_id, v.contract, v.minter, v.net_recipient,
      v.initial_recipient, v.initial_recipient_amount, v.quantity, v.nonce, v.expiry, v.price, v.token_id, v.currency, v.signature,
      v.created_at, v.created_at
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::int[], $7::text[], $8::text[], $9::text[], $10::text[],
      $11::numeric[], $12::bigint[], $13::bigint[], $14::bigint[], $15::numeric[], $16::text[], $17::text[], $18::text[], $19::timestamptz[], $20::uuid[])
      AS v(id, organization_id, collection_id, item_id, purchase_intent_id, network_id, contract, minter, net_recipient, initial_recipient,
        initial_recipient_amount, quantity, nonce, expiry, price, token_id, currency, signature, created_at, claim_id)`,
}

/** The statement that stores many vouchers. */
export const vouchersCall = (rows: readonly Voucher[]): Call =>
  call(
    INSERT,
    rows.map(({ id }) => id),
    rows.map(({ organizationId }) => organizationId),
    rows.map(({ collectionId }) => collectionId),
    rows.map(({ itemId }) => itemId),
    rows.map(({ purchaseIntentId }) => purchaseIntentId),
    rows.map(({ networkId }) => networkId),
    rows.map(({ contract }) => contract),
    rows.map(({ minter }) => minter),
    rows.map(({ netRecipient }) => netRecipient),
    rows.map(({ initialRecipient }) => initialRecipient),
    rows.map(({ initialRecipientAmount }) => initialRecipientAmount.toFixed()),
    rows.map(({ quantity }) => quantity),
    rows.map(({ nonce }) => nonce),
    rows.map(({ expiry }) => expiry),
    rows.map(({ price }) => price.toFixed()),
    rows.map(({ tokenId }) => tokenId),
    rows.map(({ currency }) => currency),
    rows.map(({ signature }) => signature),
    rows.map(({ createdAt }) => createdAt),
    rows.map(({ claimId }) => claimId),
  )
