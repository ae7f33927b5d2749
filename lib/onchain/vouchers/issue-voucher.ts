import { Prisma, type Voucher } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import { writeIn } from '../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import { plain } from '../../records/audit/record-audit.ts'
import type { SignedVoucher } from './sign-voucher.ts'

type Owner = { claimId: string } | { purchaseIntentId: string }

/** Stores a signed voucher. The units stay held by its claim or purchase until it is redeemed or has ended. */
export async function issueVoucher(tx: Context, owner: Owner, signed: SignedVoucher): Promise<Voucher> {
  const row = voucherRowOf(tx, owner, signed, tx.now())
  await writeIn(tx, vouchersCall([row]))
  return row
}

/** The row of a claim's or purchase's voucher, for `vouchersCall`. */
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
  text: `INSERT INTO vouchers (id, organization_id, collection_id, item_id, claim_id, purchase_intent_id, network_id,
      contract, minter, net_recipient, initial_recipient, initial_recipient_amount, quantity, nonce, expiry, price,
      token_id, currency, signature, created_at, updated_at)
    SELECT id, "organizationId", "collectionId", "itemId", "claimId", "purchaseIntentId", "networkId", contract,
      minter, "netRecipient", "initialRecipient", "initialRecipientAmount", quantity, nonce, expiry, price, "tokenId",
      currency, signature, "createdAt", "createdAt"
    FROM jsonb_to_recordset($1::jsonb)
      AS v(id uuid, "organizationId" uuid, "collectionId" uuid, "itemId" uuid, "claimId" uuid, "purchaseIntentId" uuid,
        "networkId" int, contract text, minter text, "netRecipient" text, "initialRecipient" text,
        "initialRecipientAmount" numeric, quantity bigint, nonce bigint, expiry bigint, price numeric, "tokenId" text,
        currency text, signature text, "createdAt" timestamptz)`,
}

/** The statement that stores vouchers. */
export const vouchersCall = (rows: readonly Voucher[]): Call => call(INSERT, JSON.stringify(plain(rows)))
