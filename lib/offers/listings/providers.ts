import type { Collection, Mode, PaymentProvider, TxPayer } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { operatorMayMint } from '../../orders/operator-may-mint.ts'
import { fieldError } from '../../core/errors.ts'
import { findPayoutAddress } from '../../organizations/find-payout-address.ts'
import { findActiveIntegration } from './find-active-integration.ts'

type Terms = { mode: Mode; providers: readonly PaymentProvider[]; maxQuantityPerTx: bigint; txPayer: TxPayer }

/**
 * Throws unless each payment provider is set up and the contract can deliver what it sells: `voucher_unsupported`,
 * `provider_not_configured`, `quantity_invalid`, `payout_address_missing`.
 */
export async function assertProvidersConfigured(
  ctx: Context,
  collection: Collection,
  { mode, providers, maxQuantityPerTx, txPayer }: Terms,
): Promise<void> {
  const field = 'payment_providers'
  const byVoucher = providers.includes('MINT_VOUCHER')
  if ((byVoucher || txPayer === 'BUYER') && collection.deploymentType !== 'PLATFORM')
    throw fieldError(
      'voucher_unsupported',
      byVoucher ? field : 'policy.tx_payer',
      'This collection’s contract is not one of ours and takes no mint vouchers.',
    )
  if (!operatorMayMint(collection))
    throw fieldError(
      'provider_not_configured',
      field,
      'This collection’s contract does not let us mint: nothing of it can be sold here.',
    )
  if (byVoucher && collection.tokenType === 'ERC721' && maxQuantityPerTx > 1n)
    throw fieldError(
      'quantity_invalid',
      'max_quantity_per_tx',
      'A mint voucher of an ERC-721 collection is good for one unit: max_quantity_per_tx must be 1.',
    )
  if (byVoucher && !(await findPayoutAddress(ctx)))
    throw fieldError(
      'payout_address_missing',
      field,
      'Set the organization’s payout address first: it gets what is paid with mint vouchers.',
    )
  if (providers.includes('CARD_PROVIDER') && !(await findActiveIntegration(ctx, mode)))
    throw fieldError(
      'provider_not_configured',
      field,
      `Connect the card provider first: there is no active ${mode} payment integration.`,
    )
}
