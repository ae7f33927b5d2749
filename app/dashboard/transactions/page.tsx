import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { TransactionBadge } from '@/components/dashboard/items/chain-badges'
import { ChainLink } from '@/components/ui/chain-link'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
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
  const { state, tx_type, collection_id } = query
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('list.description')}
      noun={[t('noun.one'), t('noun.other')]}
      page={transactions}
      cursor={query.cursor}
      refreshSeconds={transactions.results.some((one) => one.state === 'PENDING' || one.state === 'SUBMITTED') && 2}
      filters={{
        state: { label: t('list.state'), value: state, shown: wordsFor(states, state) },
        tx_type: { label: t('list.what'), value: tx_type, shown: wordsFor(types, tx_type) },
        collection_id: { label: t('list.collection'), value: collection_id, shown: wordsFor(named, collection_id) },
      }}
      fields={
        <>
          <Choice label={t('list.state')} name="state" value={state} options={states} />
          <Choice label={t('list.what')} name="tx_type" value={tx_type} options={types} any={t('list.anything')} />
          <Choice
            label={t('list.collection')}
            name="collection_id"
            value={collection_id}
            options={named}
            any={t('list.all')}
          />
        </>
      }
      empty={{
        title: t('list.emptyTitle'),
        action: <LinkButton href="/dashboard/collections">{t('list.toCollections')}</LinkButton>,
        children: t('list.empty'),
      }}
    >
      <Card flush>
        <Table caption={t('title')}>
          <Thead>
            <Th>{t('list.what')}</Th>
            <Th>{t('list.state')}</Th>
            <Th>{t('list.collection')}</Th>
            <Th>{t('list.network')}</Th>
            <Th>{t('list.hash')}</Th>
            <Th>{t('list.askedFor')}</Th>
          </Thead>
          <Tbody>
            {transactions.results.map((transaction) => (
              <Tr key={transaction.id}>
                <Td rowHeader>
                  <TextLink href={`${path}/${transaction.id}`}>
                    {`${t(`types.${transaction.tx_type}`)}${transaction.mint_requests > 1 ? ` (${transaction.mint_requests})` : ''}`}
                  </TextLink>
                </Td>
                <Td label={t('list.state')}>
                  <TransactionBadge transaction={transaction} />
                </Td>
                <Td label={t('list.collection')}>
                  <TextLink href={`/dashboard/collections/${transaction.collection_id}`}>
                    {nameOf.get(transaction.collection_id) ?? t('list.show')}
                  </TextLink>
                </Td>
                <Td label={t('list.network')}>
                  {networks.get(transaction.network_id)?.name ?? transaction.network_id}
                </Td>
                <Td label={t('list.hash')}>
                  {transaction.tx_hash ? (
                    <ChainLink
                      value={transaction.tx_hash}
                      kind="tx"
                      explorerUrl={networks.get(transaction.network_id)?.explorerUrl ?? null}
                    />
                  ) : (
                    '–'
                  )}
                </Td>
                <Td label={t('list.askedFor')}>
                  <RelativeTime at={transaction.created_at} />
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}
