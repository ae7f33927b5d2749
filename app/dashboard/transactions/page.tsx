import type { Metadata } from 'next'
import { TRANSACTION_NAMES, TransactionBadge, transactionName } from '@/components/dashboard/items/chain-badges'
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

export const metadata: Metadata = { title: 'Transactions' }

const path = '/dashboard/transactions'
const STATES = [
  ['PENDING', 'Waiting'],
  ['SUBMITTED', 'On its way'],
  ['COMPLETED', 'Done'],
  ['FAILED', 'Failed'],
  ['CANCELLED', 'Cancelled'],
] as const

export default async function TransactionsPage({ searchParams }: PageProps<'/dashboard/transactions'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listTransactions.query, await searchParams)
  const [transactions, collections] = await Promise.all([
    listTransactions(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    listCollectionChoices(ctx),
  ])
  const nameOf = new Map(collections.map(({ id, name }) => [id, name]))
  const networks = new Map(networkFacts(ctx).map((network) => [network.id, network]))
  const named = collections.map(({ id, name }) => [id, name] as const)
  const { state, tx_type, collection_id } = query
  return (
    <ListPage
      path={path}
      title="Transactions"
      description="Transactions that we send to a network for you, and their state."
      noun={['transaction', 'transactions']}
      page={transactions}
      cursor={query.cursor}
      refreshSeconds={transactions.results.some((one) => one.state === 'PENDING' || one.state === 'SUBMITTED') && 2}
      filters={{
        state: { label: 'State', value: state, shown: wordsFor(STATES, state) },
        tx_type: { label: 'What', value: tx_type, shown: wordsFor(TRANSACTION_NAMES, tx_type) },
        collection_id: { label: 'Collection', value: collection_id, shown: wordsFor(named, collection_id) },
      }}
      fields={
        <>
          <Choice label="State" name="state" value={state} options={STATES} />
          <Choice label="What" name="tx_type" value={tx_type} options={TRANSACTION_NAMES} any="Anything" />
          <Choice label="Collection" name="collection_id" value={collection_id} options={named} any="All" />
        </>
      }
      empty={{
        title: 'No transactions yet',
        action: <LinkButton href="/dashboard/collections">Go to collections</LinkButton>,
        children:
          'Deploying a collection is usually the first one. Each transaction shows its state and, if it fails, the reason.',
      }}
    >
      <Card flush>
        <Table caption="Transactions">
          <Thead>
            <Th>What</Th>
            <Th>State</Th>
            <Th>Collection</Th>
            <Th>Network</Th>
            <Th>Hash</Th>
            <Th>Asked for</Th>
          </Thead>
          <Tbody>
            {transactions.results.map((transaction) => (
              <Tr key={transaction.id}>
                <Td rowHeader>
                  <TextLink href={`${path}/${transaction.id}`}>
                    {transactionName(transaction.tx_type)}
                    {transaction.mint_requests > 1 && ` (${transaction.mint_requests})`}
                  </TextLink>
                </Td>
                <Td label="State">
                  <TransactionBadge transaction={transaction} />
                </Td>
                <Td label="Collection">
                  <TextLink href={`/dashboard/collections/${transaction.collection_id}`}>
                    {nameOf.get(transaction.collection_id) ?? 'Show'}
                  </TextLink>
                </Td>
                <Td label="Network">{networks.get(transaction.network_id)?.name ?? transaction.network_id}</Td>
                <Td label="Hash">
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
                <Td label="Asked for">
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
