import { useTranslations } from 'next-intl'
import { ChainLink } from '@/components/ui/chain-link'
import { EmptyState } from '@/components/ui/empty-state'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listHistory } from '@/lib/platform/api/history'

type Entry = Answer<typeof listHistory>['results'][number]

/** The events of an item on the chain, newest first. */
export function ItemEvents({ entries, explorerUrl }: { entries: readonly Entry[]; explorerUrl: string | null }) {
  const t = useTranslations('published.events')
  if (entries.length === 0) return <EmptyState title={t('none')}>{t('noneHint')}</EmptyState>
  return (
    <DataTable
      caption={t('caption')}
      rows={entries.map((entry) => ({
        ...entry,
        id: `${entry.data.transaction.tx_hash} ${entry.data.transaction.log_index} ${entry.data.to.address}`,
      }))}
      columns={[
        {
          label: t('event'),
          cell: ({ type, quantity }) => `${t(`types.${type}`)}${Number(quantity) > 1 ? ` × ${quantity}` : ''}`,
        },
        {
          label: t('to'),
          className: 'max-sm:flex-wrap',
          cell: ({ type, data }) =>
            type === 'BURN' ? <span className="text-muted">{t('nobody')}</span> : <Holder address={data.to.address} />,
        },
        { label: t('when'), className: 'max-sm:flex-wrap', cell: ({ timestamp }) => <Time at={timestamp} /> },
        {
          label: t('transaction'),
          className: 'max-sm:flex-wrap',
          cell: ({ data }) => <ChainLink value={data.transaction.tx_hash} kind="tx" explorerUrl={explorerUrl} />,
        },
      ]}
    />
  )
}

/** An address that leads to what it owns. */
export function Holder({ address }: { address: string }) {
  return (
    <TextLink href={`/o/${address}`}>
      <span dir="ltr" className="figures" title={address}>
        <span aria-hidden="true">{`${address.slice(0, 6)}…${address.slice(-4)}`}</span>
        <span className="sr-only">{address}</span>
      </span>
    </TextLink>
  )
}
