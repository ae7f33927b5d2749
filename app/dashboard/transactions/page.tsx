import type { Metadata } from 'next'
import { TRANSACTION_NAMES, TransactionBadge, transactionName } from '@/components/dashboard/chain-badges'
import { ChainLink } from '@/components/dashboard/chain-link'
import { Filters } from '@/components/dashboard/filters'
import { hrefOf } from '@/components/dashboard/href'
import { Refresh } from '@/components/dashboard/refresh'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/api/transactions'
import { dashboardContext } from '@/lib/auth/dashboard'
import { listCollections } from '@/lib/collections/list-collections'
import { readQuery } from '@/lib/http/page-query'
import { networkFacts } from '@/lib/networks/network-facts'
import { listTransactions } from '@/lib/transactions/list-transactions'

export const metadata: Metadata = { title: 'Transactions' }

const path = '/dashboard/transactions'

export default async function TransactionsPage({ searchParams }: PageProps<'/dashboard/transactions'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listTransactions.query, await searchParams)
  const [transactions, collections] = await Promise.all([
    listTransactions(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    listCollections(ctx, { limit: 100, network_id: [] }),
  ])
  const nameOf = new Map(collections.results.map(({ id, name }) => [id, name]))
  const networks = new Map(networkFacts(ctx).map((network) => [network.id, network]))
  const { state, tx_type, collection_id } = query
  const filters = { state, tx_type, collection_id }
  const filtered = Boolean(state || tx_type || collection_id)
  return (
    <>
      {transactions.results.some((one) => one.state === 'PENDING' || one.state === 'SUBMITTED') && <Refresh />}
      <PageHeader title="Transactions" description="What we send to a chain for you, and what became of it. Nothing is ever sent twice." />
      {(filtered || transactions.total_results > 0) && (
        <Filters path={path} active={filtered}>
          <Field label="State">
            <Select name="state" defaultValue={state ?? ''}>
              <option value="">Any</option>
              <option value="PENDING">Waiting</option>
              <option value="SUBMITTED">On its way</option>
              <option value="COMPLETED">Done</option>
              <option value="FAILED">Failed</option>
              <option value="CANCELLED">Cancelled</option>
            </Select>
          </Field>
          <Field label="What">
            <Select name="tx_type" defaultValue={tx_type ?? ''}>
              <option value="">Anything</option>
              {TRANSACTION_NAMES.map(([type, name]) => (
                <option key={type} value={type}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Collection">
            <Select name="collection_id" defaultValue={collection_id ?? ''}>
              <option value="">All</option>
              {collections.results.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </Filters>
      )}
      {transactions.results.length === 0 ? (
        <Card>
          {filtered ? (
            <EmptyState title="No transaction fits" action={<LinkButton href={path}>Show all</LinkButton>} />
          ) : (
            <EmptyState title="Nothing sent to a chain yet" action={<LinkButton href="/dashboard/collections">To the collections</LinkButton>}>
              Deploying a collection is the first one. Minting, royalties and changed metadata follow, each with its state and, if it fails, the reason.
            </EmptyState>
          )}
        </Card>
      ) : (
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
                    <TextLink href={`/dashboard/collections/${transaction.collection_id}`}>{nameOf.get(transaction.collection_id) ?? 'Show'}</TextLink>
                  </Td>
                  <Td label="Network">{networks.get(transaction.network_id)?.name ?? transaction.network_id}</Td>
                  <Td label="Hash">
                    {transaction.tx_hash ? <ChainLink value={transaction.tx_hash} kind="tx" explorerUrl={networks.get(transaction.network_id)?.explorerUrl ?? null} /> : '–'}
                  </Td>
                  <Td label="Asked for">
                    <Time at={transaction.created_at} relative />
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, filters) : null}
        next={transactions.cursor && hrefOf(path, { ...filters, cursor: transactions.cursor })}
        total={transactions.total_results}
        noun={transactions.total_results === 1 ? 'transaction' : 'transactions'}
      />
    </>
  )
}
