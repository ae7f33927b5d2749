import { useTranslations } from 'next-intl'
import { StateBadge } from '@/components/ui/badge'

/** A mint request's state. */
export function MintBadge({ mint: { state, tx_type: txType } }: { mint: { state: string; tx_type: string } }) {
  const t = useTranslations('dashboard.items')
  if (state === 'WAITING') return <StateBadge state="PENDING" />
  return (
    <StateBadge
      state={state}
      {...(state === 'COMPLETED' && {
        label: txType === 'TRANSFER_TOKEN' ? t('badges.handedOver') : t('badges.minted'),
      })}
    />
  )
}

/** A transaction's state; once it is completed, whether it was reverted. */
export function TransactionBadge({
  transaction,
}: {
  transaction: { state: string; on_chain_status: string | null; cancel_requested_at: Date | null }
}) {
  const t = useTranslations('dashboard.items')
  const { state, on_chain_status: onChain, cancel_requested_at: cancelling } = transaction
  if (state === 'COMPLETED' && onChain === 'FAILURE') return <StateBadge state="FAILED" label={t('badges.reverted')} />
  if (state === 'SUBMITTED' && cancelling)
    return <StateBadge state="SUBMITTED" label={t('badges.cancelling')} tone="warning" />
  return <StateBadge state={state} />
}

const TYPES: Record<string, string> = {
  DEPLOY_TOKEN_CONTRACT: 'Deploy a contract',
  ADMIN_MINT: 'Mint',
  TRANSFER_TOKEN: 'Hand over a token',
  SET_ROYALTY: 'Set a royalty',
  SET_BASE_URI: 'Set the metadata address',
  UPDATE_METADATA: 'Announce changed metadata',
  CANCEL_VOUCHER: 'Cancel a voucher',
  SET_MAX_SUPPLY: 'Lower the supply',
  SET_ROLES: 'Change roles',
  CANCEL: 'Cancel',
  SIGNED_TRANSFER: 'Send a holder’s token',
}

/** What a transaction does, in words. */
export const transactionName = (txType: string): string => TYPES[txType] ?? txType
export const TRANSACTION_NAMES = Object.entries(TYPES)
