import { useTranslations } from 'next-intl'
import { ChainLink } from '@/components/ui/chain-link'
import { Sentence } from '@/components/ui/sentence'

/** A note that one of our operators has the token. `reachable`: that operator's key is configured. */
export function CustodyNote({
  by,
  held,
  reachable,
  explorerUrl,
}: {
  by: string
  held: boolean
  reachable: boolean
  explorerUrl: string | null
}) {
  const t = useTranslations('dashboard.items.custody')
  return (
    <p className="text-sm text-muted">
      <Sentence>
        {t.rich(held ? 'held' : 'ready', {
          operator: () => <ChainLink value={by} kind="address" explorerUrl={explorerUrl} />,
        })}
      </Sentence>
      {!reachable && <span>{` ${t('unreachable')}`}</span>}
    </p>
  )
}
