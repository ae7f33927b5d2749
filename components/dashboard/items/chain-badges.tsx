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
