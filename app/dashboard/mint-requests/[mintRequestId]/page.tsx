import type { Metadata } from 'next'
import { MintBadge } from '@/components/dashboard/items/chain-badges'
import { ChainLink } from '@/components/ui/chain-link'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { type Step, Steps } from '@/components/dashboard/forms/steps'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { titleOf } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { getMint } from '@/lib/onchain/mints/get-mint'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getTransaction } from '@/lib/onchain/transactions/get-transaction'

export const metadata: Metadata = { title: 'Mint request' }

export default async function MintRequestPage({ params }: PageProps<'/dashboard/mint-requests/[mintRequestId]'>) {
  const { mintRequestId } = await params
  const ctx = await dashboardContext()
  const mint = await orNotFound(mintRequestId, (id) => getMint(ctx, id))
  const [item, transaction] = await Promise.all([getItem(ctx, mint.item_id), getTransaction(ctx, mint.transaction_id)])
  const explorerUrl = networkFacts(ctx).find(({ id }) => id === transaction.network_id)?.explorerUrl ?? null
  const moving = mint.state === 'WAITING' || mint.state === 'SUBMITTED'
  const failed = mint.state === 'FAILED' || mint.state === 'CANCELLED'
  const sent = transaction.submitted_at !== null
  const handsOver = mint.tx_type === 'TRANSFER_TOKEN'
  const steps: Step[] = [
    { name: 'Asked for', state: 'done', at: mint.created_at },
    { name: 'Sent to the network', state: sent ? 'done' : failed ? 'failed' : 'now', at: transaction.submitted_at },
    {
      name: handsOver ? 'Handed over' : 'Minted',
      state: mint.state === 'COMPLETED' ? 'done' : failed ? (sent ? 'failed' : 'todo') : sent ? 'now' : 'todo',
      at: mint.completed_at,
    },
  ]
  return (
    <>
      {moving && <Refresh />}
      <PageHeader
        back={{ href: '/dashboard/mint-requests', label: 'Mint requests' }}
        title={`${handsOver ? 'Handing over' : 'Mint'} of “${titleOf(item)}”`}
        badge={<MintBadge mint={mint} />}
      />
      {mint.failure && (
        <Alert
          tone="danger"
          title={
            mint.state === 'CANCELLED'
              ? 'It was cancelled.'
              : handsOver
                ? 'It was not handed over.'
                : 'It was not minted.'
          }
        >
          {mint.failure} Its units are free again.
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title={moving ? 'On its way' : 'What happened'}>
          <Steps label="Progress" steps={steps} />
        </Card>
        <Card title="Details">
          <Facts>
            <Fact name="Item">
              <TextLink href={`/dashboard/items/${item.id}`}>{titleOf(item)}</TextLink>
            </Fact>
            <Fact name="Token id">
              <span className="figures">{item.token_id}</span>
            </Fact>
            <Fact name="Units">{String(mint.quantity)}</Fact>
            <Fact name="To">
              <ChainLink value={mint.to_address} kind="address" explorerUrl={explorerUrl} />
            </Fact>
            <Fact name="Transaction">
              <TextLink href={`/dashboard/transactions/${transaction.id}`}>
                {transaction.mint_requests > 1 ? `Shared with ${transaction.mint_requests - 1} more` : 'Show'}
              </TextLink>
            </Fact>
            {mint.tx_hash && (
              <Fact name="Hash">
                <ChainLink value={mint.tx_hash} kind="tx" explorerUrl={explorerUrl} />
              </Fact>
            )}
            <Fact name="Asked for">
              <Time at={mint.created_at} />
            </Fact>
          </Facts>
        </Card>
      </div>
    </>
  )
}
