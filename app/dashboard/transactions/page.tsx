import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { TransactionBadge } from '@/components/dashboard/items/chain-badges'
import { ChainLink } from '@/components/ui/chain-link'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/transactions'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { readQuery } from '@/lib/platform/http/page-query'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { listTransactions } from '@/lib/onchain/transactions/list-transactions'

export const generateMetadata = titled('dashboard.transactions', 'title')

const path = '/dashboard/transactions'
const STATES = ['PENDING', 'SUBMITTED', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

export default async function TransactionsPage({ searchParams }: PageProps<'/dashboard/transactions'>) {
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.transactions')])
  const query = readQuery(api.listTransactions.query, await searchParams)
  const [transactions, collections] = await Promise.all([
    listTransactions(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    listCollectionChoices(ctx),
  ])
  const nameOf = new Map(collections.map(({ id, name }) => [id, name]))
  const networks = new Map(networkFacts(ctx).map((network) => [network.id, network]))
  const named = collections.map(({ id, name }) => [id, name] as const)
  const states = STATES.map((each) => [each, t(`states.${each}`)] as const)
  const types = api.TRANSACTION_TYPES.map((each) => [each, t(`types.${each}`)] as const)
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('list.description')}
      noun={[t('noun.one'), t('noun.other')]}
      page={transactions}
      query={query}
      refreshSeconds={transactions.results.some((one) => one.state === 'PENDING' || one.state === 'SUBMITTED') && 2}
      filters={[
        { name: 'state', label: t('list.state'), options: states },
        { name: 'tx_type', label: t('list.what'), options: types, any: t('list.anything') },
        { name: 'collection_id', label: t('list.collection'), options: named, any: t('list.all') },
      ]}
      empty={{
        title: t('list.emptyTitle'),
        action: <LinkButton href="/dashboard/collections">{t('list.toCollections')}</LinkButton>,
        children: t('list.empty'),
      }}
    >
      <Card flush>
        <DataTable
          caption={t('title')}
          rows={transactions.results}
          columns={[
            {
              label: t('list.what'),
              cell: (transaction) => (
                <TextLink href={`${path}/${transaction.id}`}>
                  {t(`types.${transaction.tx_type}`) +
                    (transaction.mint_requests > 1 ? ` (${transaction.mint_requests})` : '')}
                </TextLink>
              ),
            },
            { label: t('list.state'), cell: (transaction) => <TransactionBadge transaction={transaction} /> },
            {
              label: t('list.collection'),
              cell: (transaction) => (
                <TextLink href={`/dashboard/collections/${transaction.collection_id}`}>
                  {nameOf.get(transaction.collection_id) ?? t('list.show')}
                </TextLink>
              ),
            },
            {
              label: t('list.network'),
              cell: (transaction) => networks.get(transaction.network_id)?.name ?? transaction.network_id,
            },
            {
              label: t('list.hash'),
              cell: (transaction) =>
                transaction.tx_hash ? (
                  <ChainLink
                    value={transaction.tx_hash}
                    kind="tx"
                    explorerUrl={networks.get(transaction.network_id)?.explorerUrl ?? null}
                  />
                ) : (
                  '–'
                ),
            },
            { label: t('list.askedFor'), cell: (transaction) => <RelativeTime at={transaction.created_at} /> },
          ]}
        />
      </Card>
    </ListPage>
  )
}
