import { useTranslations } from 'next-intl'
import { ChainLink } from '@/components/ui/chain-link'
import { EmptyState } from '@/components/ui/empty-state'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listHistory } from '@/lib/platform/api/history'

type Entry = Answer<typeof listHistory>['results'][number]

/** What happened to an item on the chain, newest first. */
export function ItemEvents({ entries, explorerUrl }: { entries: readonly Entry[]; explorerUrl: string | null }) {
  const t = useTranslations('published.events')
  if (entries.length === 0) return <EmptyState title={t('none')}>{t('noneHint')}</EmptyState>
  return (
    <Table caption={t('caption')}>
      <Thead>
        <Th>{t('event')}</Th>
        <Th>{t('to')}</Th>
        <Th>{t('when')}</Th>
        <Th>{t('transaction')}</Th>
      </Thead>
      <Tbody>
        {entries.map(({ type, quantity, timestamp, data }) => (
          <Tr key={`${data.transaction.tx_hash} ${data.transaction.log_index} ${data.to.address}`}>
            <Td rowHeader>{`${t(`types.${type}`)}${Number(quantity) > 1 ? ` × ${quantity}` : ''}`}</Td>
            <Td label={t('to')} className="max-sm:flex-wrap">
              {type === 'BURN' ? (
                <span className="text-muted">{t('nobody')}</span>
              ) : (
                <Holder address={data.to.address} />
              )}
            </Td>
            <Td label={t('when')} className="max-sm:flex-wrap">
              <Time at={timestamp} />
            </Td>
            <Td label={t('transaction')} className="max-sm:flex-wrap">
              <ChainLink value={data.transaction.tx_hash} kind="tx" explorerUrl={explorerUrl} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
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
