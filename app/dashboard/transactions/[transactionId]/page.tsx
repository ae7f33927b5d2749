import type { ReactNode } from 'react'
import type { Metadata } from 'next'
import { MintBadge, TransactionBadge, transactionName } from '@/components/dashboard/items/chain-badges'
import { ChainLink } from '@/components/ui/chain-link'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { type Step, Steps } from '@/components/dashboard/forms/steps'
import { Alert } from '@/components/ui/alert'
import { StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { shortDecimalOf } from '@/lib/core/money'
import type { EscrowShown } from '@/lib/platform/api/transfers'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getMint } from '@/lib/onchain/mints/get-mint'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getTransaction } from '@/lib/onchain/transactions/get-transaction'
import { findTransferOfTransaction } from '@/lib/onchain/transfers/find-transfer-of-transaction'
import { cancelTransactionAction, returnTransferAction } from '../actions'

export const metadata: Metadata = { title: 'Transaction' }

type Transaction = Awaited<ReturnType<typeof getTransaction>>

export default async function TransactionPage({ params }: PageProps<'/dashboard/transactions/[transactionId]'>) {
  const { transactionId } = await params
  const ctx = await dashboardContext()
  const transaction = await orNotFound(transactionId, (id) => getTransaction(ctx, id))
  const isTransfer = transaction.tx_type === 'SIGNED_TRANSFER'
  const [collection, mints, transfer] = await Promise.all([
    getCollection(ctx, transaction.collection_id),
    transaction.mint_requests > 0 ? getMint(ctx, transaction.id).then(({ mint_requests }) => mint_requests) : [],
    isTransfer ? findTransferOfTransaction(ctx, transaction.id) : null,
  ])
  const network = networkFacts(ctx).find(({ id }) => id === transaction.network_id)
  const explorerUrl = network?.explorerUrl ?? null
  const open = transaction.state === 'PENDING' || transaction.state === 'SUBMITTED'
  return (
    <>
      {open && <Refresh />}
      <PageHeader
        back={{ href: '/dashboard/transactions', label: 'Transactions' }}
        title={transactionName(transaction.tx_type)}
        badge={<TransactionBadge transaction={transaction} />}
        description={collection.name}
        actions={
          open &&
          !isTransfer &&
          !transaction.cancel_requested_at &&
          may(ctx, 'transactions:write') && (
            <ConfirmAction
              action={cancelTransactionAction.bind(null, transaction.id)}
              trigger={<Button variant="danger">Cancel</Button>}
              title="Cancel this transaction?"
              description={
                transaction.state === 'PENDING'
                  ? 'It hasn’t been sent yet. It is cancelled immediately, and its units become available again.'
                  : 'It has already been sent. An empty transaction is sent to replace it; the network decides which of the two it accepts.'
              }
              confirm="Cancel the transaction"
            />
          )
        }
      />
      {transaction.failure && (
        <Alert tone="danger" title="Why it failed">
          {transaction.failure}
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title={open ? 'On its way' : 'What happened'}>
          <Steps label="Progress" steps={stepsOf(transaction)} />
        </Card>
        <Card title="Details">
          <Facts>
            <Fact name="Collection">
              <TextLink href={`/dashboard/collections/${collection.id}`}>{collection.name}</TextLink>
            </Fact>
            <Fact name="Network">{network?.name ?? transaction.network_id}</Fact>
            {transaction.tx_hash && (
              <Fact name="Hash">
                <ChainLink value={transaction.tx_hash} kind="tx" explorerUrl={explorerUrl} />
              </Fact>
            )}
            {transaction.operator && (
              <Fact name="Sent by">
                <ChainLink value={transaction.operator} kind="address" explorerUrl={explorerUrl} />
              </Fact>
            )}
            {transaction.nonce !== null && (
              <Fact name="Nonce">
                <span className="figures">{transaction.nonce}</span>
              </Fact>
            )}
            {transaction.block_number !== null && (
              <Fact name="Block">
                <span className="figures">{String(transaction.block_number)}</span>
              </Fact>
            )}
            {transaction.gas_used !== null && (
              <Fact name="Gas">
                <span className="figures">{transaction.gas_used.toLocaleString('en')}</span>
              </Fact>
            )}
            {transaction.gas_cost_wei !== null && (
              <Fact name={transaction.completed_at ? 'Cost' : 'Costs at most'}>
                <span className="figures">
                  {shortDecimalOf(transaction.gas_cost_wei, network?.currency.decimals ?? 18, 6)}{' '}
                  {network?.currency.symbol}
                </span>
              </Fact>
            )}
          </Facts>
        </Card>
      </div>
      {transfer && (
        <TransferCard
          transfer={transfer}
          explorerUrl={explorerUrl}
          action={
            transfer.escrow?.state === 'RETURN_REFUSED' &&
            may(ctx, 'email_claims:write') && (
              <ConfirmAction
                action={returnTransferAction.bind(null, transactionId, transfer.id)}
                trigger={<Button>Return it once more</Button>}
                title="Return it to its sender once more?"
                description="The sender’s address is asked first whether it takes it now. You pay the gas."
                confirm="Return it once more"
              />
            )
          }
        />
      )}
      {mints.length > 0 && (
        <Card
          flush
          title="Mint requests"
          description={mints.length === 1 ? 'The one it carries' : `The ${mints.length} it carries`}
        >
          <Table caption="Mint requests of this transaction">
            <Thead>
              <Th>To</Th>
              <Th>Units</Th>
              <Th>State</Th>
              <Th>
                <span className="sr-only">Details</span>
              </Th>
            </Thead>
            <Tbody>
              {mints.map((mint) => (
                <Tr key={mint.id}>
                  <Td rowHeader>
                    <ChainLink value={mint.to_address} kind="address" explorerUrl={explorerUrl} />
                  </Td>
                  <Td label="Units">{String(mint.quantity)}</Td>
                  <Td label="State">
                    <span className="grid justify-items-start gap-1">
                      <MintBadge mint={mint} />
                      {mint.failure && <span className="text-sm text-muted">{mint.failure}</span>}
                    </span>
                  </Td>
                  <Td align="right">
                    <TextLink href={`/dashboard/mint-requests/${mint.id}`}>
                      Details<span className="sr-only"> of the request for {mint.to_address}</span>
                    </TextLink>
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </Card>
      )}
      <p className="text-sm text-muted">
        Asked for <Time at={transaction.created_at} />
      </p>
    </>
  )
}

type Transfer = NonNullable<Awaited<ReturnType<typeof findTransferOfTransaction>>>

/** What a holder asked for who signed a transfer. */
function TransferCard({
  transfer,
  explorerUrl,
  action,
}: {
  transfer: Transfer
  explorerUrl: string | null
  action: ReactNode
}) {
  return (
    <Card
      title="The transfer"
      description="Its holder signed for it in a wallet and asked for it. You only pay the gas."
      actions={action}
    >
      <Facts>
        <Fact name="From">
          <ChainLink value={transfer.from_address} kind="address" explorerUrl={explorerUrl} />
        </Fact>
        <Fact name="To">
          <ChainLink value={transfer.to_address} kind="address" explorerUrl={explorerUrl} />
        </Fact>
        <Fact name="Item">
          <TextLink href={`/dashboard/items/${transfer.item_id}`}>
            Token <span className="figures">{transfer.token_id}</span>
          </TextLink>
          {transfer.quantity > 1n && ` × ${transfer.quantity}`}
        </Fact>
        <Fact name="State">
          <StateBadge state={transfer.state} />
        </Fact>
        {transfer.failure && <Fact name="Why it failed">{transfer.failure.message}</Fact>}
        {transfer.escrow && <Fact name="For a mailbox">{ESCROW_WORDS[transfer.escrow.state]}</Fact>}
        {transfer.escrow?.failure && <Fact name="Why it stays">{transfer.escrow.failure}</Fact>}
        {transfer.state === 'PENDING' && (
          <Fact name="Is sent until">
            <Time at={new Date(transfer.deadline * 1000)} />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

const ESCROW_WORDS = {
  WAITING: 'Isn’t with your operator yet',
  HELD: 'Kept for its recipient',
  TAKEN: 'Its recipient has it',
  RETURNING: 'On its way back to its sender',
  RETURN_REFUSED: 'Its sender’s address doesn’t take it back',
  RETURNED: 'Back with its sender',
  ENDED: 'It never came, and nobody was mailed',
} satisfies Record<EscrowShown, string>

function stepsOf({ state, on_chain_status: onChain, created_at, submitted_at, completed_at }: Transaction): Step[] {
  const sent = submitted_at !== null
  const over = state === 'FAILED' || state === 'CANCELLED'
  const mined = state === 'COMPLETED'
  return [
    { name: 'Asked for', state: 'done', at: created_at },
    {
      name: 'Signed and sent',
      state: sent ? 'done' : over ? 'failed' : 'now',
      at: submitted_at,
      note: sent || over ? null : 'Waiting for its turn.',
    },
    {
      name: 'Confirmed',
      state: mined
        ? onChain === 'FAILURE'
          ? 'failed'
          : 'done'
        : over
          ? sent
            ? 'failed'
            : 'todo'
          : sent
            ? 'now'
            : 'todo',
      at: completed_at,
      note: mined && onChain === 'FAILURE' ? 'The network included it, and its call was reverted.' : null,
    },
  ]
}
