import type { Metadata } from 'next'
import Link from 'next/link'
import { ClaimBadge } from '@/components/dashboard/claim-badge'
import { transactionName } from '@/components/dashboard/chain-badges'
import { FirstSteps } from '@/components/dashboard/first-steps'
import { PERIODS, SalesCard } from '@/components/dashboard/sales-card'
import { whyUnresolved } from '@/components/dashboard/selling-words'
import { Alert } from '@/components/ui/alert'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { countSales } from '@/lib/analytics/count-sales'
import { openAlarms } from '@/lib/audit/open-alarms'
import { may } from '@/lib/auth/context'
import { dashboardContext } from '@/lib/auth/dashboard'
import { listClaims } from '@/lib/claims/list-claims'
import { listCollections } from '@/lib/collections/list-collections'
import { DAY, now, secondsFrom } from '@/lib/core/clock'
import { listItems } from '@/lib/items/list-items'
import { listListings } from '@/lib/listings/list-listings'
import { getMe } from '@/lib/organizations/get-me'
import { listIntegrations } from '@/lib/payments/list-integrations'
import { listPurchases } from '@/lib/purchases/list-purchases'
import { listTransactions } from '@/lib/transactions/list-transactions'

export const metadata: Metadata = { title: 'Overview' }

export default async function OverviewPage({ searchParams }: PageProps<'/dashboard'>) {
  const { sales, over } = await searchParams
  const ctx = await dashboardContext()
  const one = { limit: 1 }
  const interval = over === 'WEEK' || over === 'MONTH' ? over : 'DAY'
  const [{ organization }, collections, live, failedDeployments, items, locked, minted, claims, waiting, claimed, lockedClaims, failed, figures, listings, unresolved, integrations, alarms] = await Promise.all([
    getMe(ctx),
    listCollections(ctx, { ...one, network_id: [] }),
    listCollections(ctx, { ...one, network_id: [], deployment_status: 'SUCCESS' }),
    listCollections(ctx, { limit: 5, network_id: [], deployment_status: 'FAILED' }),
    listItems(ctx, { ...one, attribute: [] }),
    listItems(ctx, { ...one, attribute: [], locked: 'true' }),
    listItems(ctx, { ...one, attribute: [], token_status: 'MINTED' }),
    listClaims(ctx, { limit: 6 }),
    listClaims(ctx, { ...one, state: 'ACTIVE' }),
    listClaims(ctx, { ...one, state: 'CLAIMED' }),
    listClaims(ctx, { limit: 5, state: 'LOCKED' }),
    listTransactions(ctx, { limit: 5, state: 'FAILED' }),
    countSales(ctx, { interval, from: secondsFrom(now(), -PERIODS[interval].days * DAY) }),
    listListings(ctx, { ...one }),
    listPurchases(ctx, { limit: 5, status: 'UNRESOLVED' }),
    listIntegrations(ctx, { limit: 10 }),
    openAlarms(ctx),
  ])
  const counts = [
    { href: '/dashboard/collections', name: 'Collections', count: collections.total_results, note: `${live.total_results} live` },
    { href: '/dashboard/items', name: 'Items', count: items.total_results, note: `${minted.total_results} minted` },
    { href: '/dashboard/claims?state=ACTIVE', name: 'Waiting for a recipient', count: waiting.total_results, note: 'email claims' },
    { href: '/dashboard/claims?state=CLAIMED', name: 'Claimed', count: claimed.total_results, note: `of ${claims.total_results} sent` },
  ]
  const known = new Set(unresolved.results.flatMap(({ id, payment }) => [id, payment?.id]))
  const attention = [
    ...unresolved.results.map((purchase) => ({ href: `/dashboard/purchases/${purchase.id}`, text: `The purchase of ${purchase.email ?? purchase.eth_address} needs a decision. ${whyUnresolved(purchase)}` })),
    ...integrations.results
      .filter(({ status }) => status === 'PENDING' || status === 'RESTRICTED')
      .map(({ id, mode, status }) => ({
        href: `/dashboard/payments?account=${id}`,
        text: status === 'PENDING' ? `The ${mode.toLowerCase()} card account isn’t verified yet.` : `The card provider has stopped payments to the ${mode.toLowerCase()} account.`,
      })),
    ...alarms.filter(({ subject }) => !known.has(subject)).map(({ detail }) => ({ href: null, text: detail })),
    ...failedDeployments.results.map(({ id, name }) => ({ href: `/dashboard/collections/${id}`, text: `The deployment of “${name}” failed.` })),
    ...lockedClaims.results.map(({ id, email }) => ({ href: `/dashboard/claims/${id}`, text: `The claim of ${email} is locked after too many wrong PINs.` })),
    ...failed.results.map(({ id, tx_type, failure }) => ({ href: `/dashboard/transactions/${id}`, text: `${transactionName(tx_type)}: ${failure ?? 'it failed.'}` })),
  ]
  return (
    <>
      <PageHeader
        title={organization.name}
        actions={
          may(ctx, 'email_claims:write') && (
            <LinkButton href="/dashboard/claims/new" variant="primary">
              Send an item
            </LinkButton>
          )
        }
      />
      {attention.length > 0 && (
        <Alert tone="warning" title="This needs you">
          <ul className="mt-1 grid gap-1">
            {attention.map(({ href, text }) => (
              <li key={href ?? text}>{href ? <TextLink href={href}>{text}</TextLink> : text}</li>
            ))}
          </ul>
        </Alert>
      )}
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line shadow-rest lg:grid-cols-4">
        {counts.map(({ href, name, count, note }) => (
          <li key={name} className="bg-pane">
            <Link href={href} className="grid h-full content-start gap-1 p-5 transition-colors hover:bg-well">
              <span className="label-caps text-muted">{name}</span>
              <span className="text-3xl font-medium tabular-nums">{count.toLocaleString('en')}</span>
              <span className="text-sm text-muted">{note}</span>
            </Link>
          </li>
        ))}
      </ul>
      {(listings.total_results > 0 || figures.totals.length > 0) && <SalesCard path="/dashboard" figures={figures} measure={typeof sales === 'string' ? sales : null} />}
      {claims.total_results === 0 ? (
        <FirstSteps collections={collections.total_results} live={live.total_results} items={items.total_results} locked={locked.total_results} />
      ) : (
        <Card flush title="Sent last" actions={<TextLink href="/dashboard/claims">All claims</TextLink>}>
          <ul className="divide-y">
            {claims.results.map((claim) => (
              <li key={claim.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3 sm:px-6">
                <TextLink href={`/dashboard/claims/${claim.id}`} className="break-all">
                  {claim.email}
                </TextLink>
                <span className="flex items-center gap-4 text-sm text-muted">
                  <Time at={claim.created_at} relative />
                  <ClaimBadge claim={claim} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
