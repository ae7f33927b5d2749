import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'next-intl'
import { getLocale, getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { MintBadge, TransactionBadge } from '@/components/dashboard/items/chain-badges'
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
import { Sentence } from '@/components/ui/sentence'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { shortDecimalOf } from '@/lib/core/money'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getMint } from '@/lib/onchain/mints/get-mint'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getTransaction } from '@/lib/onchain/transactions/get-transaction'
import { findTransferOfTransaction } from '@/lib/onchain/transfers/find-transfer-of-transaction'
import { cancelTransactionAction, returnTransferAction } from '../actions'

export const generateMetadata = titled('dashboard.transactions', 'one.title')

/** Decimals that a transaction's cost is shown with. */
const COST_PLACES = 6

type Transaction = Awaited<ReturnType<typeof getTransaction>>
type Translator = ReturnType<typeof useTranslations<'dashboard.transactions'>>

export default async function TransactionPage({ params }: PageProps<'/dashboard/transactions/[transactionId]'>) {
  const { transactionId } = await params
  const [ctx, t, locale] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.transactions'),
    getLocale(),
  ])
  const transaction = await orNotFound(transactionId, (id) => getTransaction(ctx, id))
  const isTransfer = transaction.tx_type === 'SIGNED_TRANSFER'
  const [collection, mints, transfer] = await Promise.all([
    getCollection(ctx, transaction.collection_id),
    transaction.mint_requests > 0 ? getMint(ctx, transaction.id).then(({ mint_requests }) => mint_requests) : [],
    isTransfer ? findTransferOfTransaction(ctx, transaction.id) : null,
  ])
  const network = networkFacts(ctx).find(({ id }) => id === transaction.network_id)
  const explorerUrl = network?.explorerUrl ?? null
  const cost = Number(shortDecimalOf(transaction.gas_cost_wei ?? 0n, network?.currency.decimals ?? 18, COST_PLACES))
  const open = transaction.state === 'PENDING' || transaction.state === 'SUBMITTED'
  return (
    <>
      <Refresh everySeconds={open && 2} />
      <PageHeader
        back={{ href: '/dashboard/transactions', label: t('title') }}
        title={t(`types.${transaction.tx_type}`)}
        badge={<TransactionBadge transaction={transaction} />}
        description={collection.name}
        actions={
          open &&
          !isTransfer &&
          !transaction.cancel_requested_at &&
          may(ctx, 'transactions:write') && (
            <ConfirmAction
              action={cancelTransactionAction.bind(null, transaction.id)}
              trigger={<Button variant="danger">{t('one.cancel')}</Button>}
              title={t('one.cancelTitle')}
              description={transaction.state === 'PENDING' ? t('one.cancelUnsent') : t('one.cancelSent')}
              confirm={t('one.cancelConfirm')}
            />
          )
        }
      />
      {transaction.failure && (
        <Alert tone="danger" title={t('one.failed')}>
          <span lang="en">{transaction.failure}</span>
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title={open ? t('one.onItsWay') : t('one.happened')}>
          <Steps label={t('one.progress')} steps={stepsOf(transaction, t)} />
        </Card>
        <Card title={t('one.details')}>
          <Facts>
            <Fact name={t('one.collection')}>
              <TextLink href={`/dashboard/collections/${collection.id}`}>{collection.name}</TextLink>
            </Fact>
            <Fact name={t('one.network')}>{network?.name ?? transaction.network_id}</Fact>
            {transaction.tx_hash && (
              <Fact name={t('one.hash')}>
                <ChainLink value={transaction.tx_hash} kind="tx" explorerUrl={explorerUrl} />
              </Fact>
            )}
            {transaction.operator && (
              <Fact name={t('one.sentBy')}>
                <ChainLink value={transaction.operator} kind="address" explorerUrl={explorerUrl} />
              </Fact>
            )}
            {transaction.nonce !== null && (
              <Fact name={t('one.nonce')}>
                <span className="figures">{transaction.nonce}</span>
              </Fact>
            )}
            {transaction.block_number !== null && (
              <Fact name={t('one.block')}>
                <span className="figures">{String(transaction.block_number)}</span>
              </Fact>
            )}
            {transaction.gas_used !== null && (
              <Fact name={t('one.gas')}>
                <span className="figures">{transaction.gas_used.toLocaleString(locale)}</span>
              </Fact>
            )}
            {transaction.gas_cost_wei !== null && (
              <Fact name={transaction.completed_at ? t('one.cost') : t('one.costAtMost')}>
                <span className="figures">
                  {`${cost.toLocaleString(locale, { maximumFractionDigits: COST_PLACES })} ` +
                    (network?.currency.symbol ?? '')}
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
            mayReturn(transfer) &&
            may(ctx, 'email_claims:write') && (
              <ConfirmAction
                action={returnTransferAction.bind(null, transactionId, transfer.id)}
                trigger={<Button>{t('transfer.return')}</Button>}
                title={t('transfer.returnTitle')}
                description={t('transfer.returnText')}
                confirm={t('transfer.return')}
              />
            )
          }
        />
      )}
      {mints.length > 0 && (
        <Card flush title={t('mints.title')} description={t('mints.text', { count: mints.length })}>
          <DataTable
            caption={t('mints.caption')}
            rows={mints}
            columns={[
              {
                label: t('mints.to'),
                cell: (mint) => <ChainLink value={mint.to_address} kind="address" explorerUrl={explorerUrl} />,
              },
              { label: t('mints.units'), cell: (mint) => String(mint.quantity) },
              {
                label: t('mints.state'),
                cell: (mint) => (
                  <span className="grid justify-items-start gap-1">
                    <MintBadge mint={mint} />
                    {mint.failure && (
                      <span lang="en" className="text-sm text-muted">
                        {mint.failure}
                      </span>
                    )}
                  </span>
                ),
              },
              {
                label: t('mints.details'),
                actions: true,
                cell: (mint) => (
                  <TextLink href={`/dashboard/mint-requests/${mint.id}`}>
                    <Sentence>
                      {t.rich('mints.detailsOf', {
                        address: mint.to_address,
                        request: (text) => <span className="sr-only">{text}</span>,
                      })}
                    </Sentence>
                  </TextLink>
                ),
              },
            ]}
          />
        </Card>
      )}
      <p className="text-sm text-muted">
        <Sentence>{t.rich('one.askedFor', { moment: () => <Time at={transaction.created_at} /> })}</Sentence>
      </p>
    </>
  )
}

type Transfer = NonNullable<Awaited<ReturnType<typeof findTransferOfTransaction>>>

/**
 * Its sender's address refused it, or for whom it was is unknown: a mailbox is mailed as soon as a token is held for
 * it.
 */
const mayReturn = ({ state, escrow }: Transfer): boolean =>
  escrow?.state === 'RETURN_REFUSED' ||
  (state === 'COMPLETED' && escrow?.state === 'HELD' && escrow.held_until === null)

/** The transfer that a holder signed and asked for. */
function TransferCard({
  transfer,
  explorerUrl,
  action,
}: {
  transfer: Transfer
  explorerUrl: string | null
  action: ReactNode
}) {
  const t = useTranslations('dashboard.transactions.transfer')
  const locale = useLocale()
  return (
    <Card title={t('title')} description={t('text')} actions={action}>
      <Facts>
        <Fact name={t('from')}>
          <ChainLink value={transfer.from_address} kind="address" explorerUrl={explorerUrl} />
        </Fact>
        <Fact name={t('to')}>
          <ChainLink value={transfer.to_address} kind="address" explorerUrl={explorerUrl} />
        </Fact>
        <Fact name={t('item')}>
          <TextLink href={`/dashboard/items/${transfer.item_id}`}>
            <Sentence>
              {t.rich('token', {
                number: transfer.token_id,
                id: (text) => <span className="figures">{text}</span>,
              })}
            </Sentence>
          </TextLink>
          {transfer.quantity > 1n && <span>{` × ${transfer.quantity}`}</span>}
        </Fact>
        <Fact name={t('state')}>
          <StateBadge state={transfer.state} />
        </Fact>
        {transfer.failure && (
          <Fact name={t('failed')}>
            {locale === 'en' ? transfer.failure.message : t(`failures.${transfer.failure.code}`)}
          </Fact>
        )}
        {transfer.escrow && <Fact name={t('mailbox')}>{t(`escrow.${transfer.escrow.state}`)}</Fact>}
        {transfer.escrow?.failure && (
          <Fact name={t('stays')}>
            <span lang="en">{transfer.escrow.failure}</span>
          </Fact>
        )}
        {transfer.state === 'PENDING' && (
          <Fact name={t('sentUntil')}>
            <Time at={new Date(transfer.deadline * 1000)} />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

function stepsOf(
  { state, on_chain_status: onChain, created_at, submitted_at, completed_at }: Transaction,
  t: Translator,
): Step[] {
  const sent = submitted_at !== null
  const over = state === 'FAILED' || state === 'CANCELLED'
  const mined = state === 'COMPLETED'
  return [
    { name: t('steps.askedFor'), state: 'done', at: created_at },
    {
      name: t('steps.sent'),
      state: sent ? 'done' : over ? 'failed' : 'now',
      at: submitted_at,
      note: sent || over ? null : t('steps.turn'),
    },
    {
      name: t('steps.confirmed'),
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
      note: mined && onChain === 'FAILURE' ? t('steps.reverted') : null,
    },
  ]
}
