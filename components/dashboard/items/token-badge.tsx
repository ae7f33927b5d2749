import { useTranslations } from 'next-intl'
import { StateBadge } from '@/components/ui/badge'

/** An item's state: not locked, locked, then its state on the chain. */
export function TokenBadge({ item }: { item: { locked: boolean; token_status: string } }) {
  const t = useTranslations('dashboard.items')
  if (!item.locked) return <StateBadge state="DRAFT" label={t('states.notLocked')} />
  if (item.token_status === 'NOT_MINTED')
    return <StateBadge state="NOT_MINTED" label={t('states.locked')} tone="info" />
  return <StateBadge state={item.token_status} />
}
