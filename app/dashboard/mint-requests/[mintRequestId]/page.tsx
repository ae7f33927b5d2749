import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { MintBadge } from '@/components/dashboard/items/chain-badges'
import { ChainLink } from '@/components/ui/chain-link'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { type Step, Steps } from '@/components/dashboard/forms/steps'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { titleOf } from '@/components/ui/item-title'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { getMint } from '@/lib/onchain/mints/get-mint'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getTransaction } from '@/lib/onchain/transactions/get-transaction'

export const generateMetadata = titled('dashboard.mintRequests', 'one.title')

export default async function MintRequestPage({ params }: PageProps<'/dashboard/mint-requests/[mintRequestId]'>) {
  const { mintRequestId } = await params
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.mintRequests')])
  const mint = await orNotFound(mintRequestId, (id) => getMint(ctx, id))
  const [item, transaction] = await Promise.all([getItem(ctx, mint.item_id), getTransaction(ctx, mint.transaction_id)])
  const explorerUrl = networkFacts(ctx).find(({ id }) => id === transaction.network_id)?.explorerUrl ?? null
  const moving = mint.state === 'WAITING' || mint.state === 'SUBMITTED'
  const failed = mint.state === 'FAILED' || mint.state === 'CANCELLED'
  const sent = transaction.submitted_at !== null
  const handsOver = mint.tx_type === 'TRANSFER_TOKEN'
  const steps: Step[] = [
    { name: t('steps.askedFor'), state: 'done', at: mint.created_at },
    { name: t('steps.sent'), state: sent ? 'done' : failed ? 'failed' : 'now', at: transaction.submitted_at },
    {
      name: handsOver ? t('steps.handedOver') : t('steps.minted'),
      state: mint.state === 'COMPLETED' ? 'done' : failed ? (sent ? 'failed' : 'todo') : sent ? 'now' : 'todo',
      at: mint.completed_at,
    },
  ]
  return (
    <>
      <Refresh everySeconds={moving && 2} />
      <PageHeader
        back={{ href: '/dashboard/mint-requests', label: t('title') }}
        title={t(handsOver ? 'one.handingOver' : 'one.mintOf', { title: titleOf(item) })}
        badge={<MintBadge mint={mint} />}
      />
      {mint.failure && (
        <Alert
          tone="danger"
          title={
            mint.state === 'CANCELLED' ? t('one.cancelled') : handsOver ? t('one.notHandedOver') : t('one.notMinted')
          }
        >
          <span lang="en">{mint.failure}</span> <span>{t('one.free')}</span>
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title={moving ? t('one.onItsWay') : t('one.happened')}>
          <Steps label={t('one.progress')} steps={steps} />
        </Card>
        <Card title={t('one.details')}>
          <Facts>
            <Fact name={t('one.item')}>
              <TextLink href={`/dashboard/items/${item.id}`}>{titleOf(item)}</TextLink>
            </Fact>
            <Fact name={t('one.tokenId')}>
              <span className="figures">{item.token_id}</span>
            </Fact>
            <Fact name={t('one.units')}>{String(mint.quantity)}</Fact>
            <Fact name={t('one.to')}>
              <ChainLink value={mint.to_address} kind="address" explorerUrl={explorerUrl} />
            </Fact>
            <Fact name={t('one.transaction')}>
              <TextLink href={`/dashboard/transactions/${transaction.id}`}>
                {transaction.mint_requests > 1
                  ? t('one.sharedWith', { count: transaction.mint_requests - 1 })
                  : t('one.show')}
              </TextLink>
            </Fact>
            {mint.tx_hash && (
              <Fact name={t('one.hash')}>
                <ChainLink value={mint.tx_hash} kind="tx" explorerUrl={explorerUrl} />
              </Fact>
            )}
            <Fact name={t('one.askedFor')}>
              <Time at={mint.created_at} />
            </Fact>
          </Facts>
        </Card>
      </div>
    </>
  )
}
