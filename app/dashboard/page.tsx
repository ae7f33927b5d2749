import { Suspense } from 'react'
import { getFormatter, getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { AttentionCard, AttentionSkeleton } from '@/components/dashboard/overview/attention'
import { ClaimBadge } from '@/components/dashboard/claims/claim-badge'
import { FirstSteps, refreshOf } from '@/components/dashboard/overview/first-steps'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { MissingList } from '@/components/dashboard/overview/missing'
import { isMeasure, OverviewActivity } from '@/components/dashboard/overview/overview-activity'
import { OverviewCounts } from '@/components/dashboard/overview/overview-counts'
import { PERIODS, SalesCard } from '@/components/dashboard/overview/sales-card'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { shownEmail } from '@/lib/core/shown-email'
import { countActivity } from '@/lib/data/analytics/count-activity'
import { countSales } from '@/lib/data/analytics/count-sales'
import { findAttention } from '@/lib/data/analytics/find-attention'
import { findMissing } from '@/lib/data/analytics/find-missing'
import { getFirstSteps } from '@/lib/data/analytics/get-first-steps'
import { getOverview } from '@/lib/data/analytics/get-overview'
import { type Context, may } from '@/lib/platform/auth/context'
import { dashboardVisit } from '@/lib/platform/auth/dashboard'
import { listLatestClaims } from '@/lib/giving/list-latest-claims'
import { DAY, now, secondsFrom } from '@/lib/core/clock'
import { listOwnNetworks } from '@/lib/offers/networks/list-own-networks'
import {
  firstClaimAction,
  firstCollectionAction,
  firstItemAction,
  firstLockAction,
  hideFirstStepsAction,
} from './first-steps'

export const generateMetadata = titled('dashboard.overview', 'title')

export default async function OverviewPage({ searchParams }: PageProps<'/dashboard'>) {
  const { sales, over, activity } = await searchParams
  const { ctx, memberships } = await dashboardVisit()
  const [t, format] = await Promise.all([getTranslations('dashboard.overview'), getFormatter()])
  const interval = over === 'WEEK' || over === 'MONTH' ? over : 'DAY'
  const measure = isMeasure(activity) ? activity : 'claimed'
  const [counts, claims, days, figures, steps, networks] = await Promise.all([
    getOverview(ctx),
    listLatestClaims(ctx, { limit: 6 }),
    countActivity(ctx, { days: 30 }),
    countSales(ctx, { interval, from: secondsFrom(now(), -PERIODS[interval].days * DAY) }),
    getFirstSteps(ctx),
    listOwnNetworks(ctx),
  ])
  const parameters = { sales: typeof sales === 'string' ? sales : null, over: interval === 'DAY' ? null : interval }
  return (
    <>
      <Refresh everySeconds={steps !== null && mayDoThem(ctx) && refreshOf(steps)} />
      <PageHeader
        title={memberships.find(({ organizationId }) => organizationId === ctx.organizationId)?.name ?? ''}
        actions={
          may(ctx, 'email_claims:write') && (
            <LinkButton href="/dashboard/claims/new" variant="primary">
              {t('send')}
            </LinkButton>
          )
        }
      />
      <Suspense fallback={<AttentionSkeleton />}>
        <WhatNeedsAttention ctx={ctx} />
      </Suspense>
      {steps && mayDoThem(ctx) && (
        <FirstSteps
          steps={steps}
          networks={networks.filter(({ deployable }) => deployable).toSorted(testnetsFirst)}
          actions={{
            collection: firstCollectionAction,
            item: firstItemAction.bind(null, steps.collection?.id ?? ''),
            lock: firstLockAction.bind(null, steps.item?.id ?? ''),
            claim: firstClaimAction.bind(null, steps.item?.id ?? ''),
            hide: may(ctx, 'organizations:write') ? hideFirstStepsAction : null,
          }}
        >
          <Suspense>
            <WhatIsMissing ctx={ctx} networkId={steps.collection?.networkId ?? null} />
          </Suspense>
        </FirstSteps>
      )}
      <OverviewCounts
        counts={[
          {
            href: '/dashboard/collections',
            name: t('counts.collections'),
            count: counts.collections,
            note: t('counts.live', { count: format.number(counts.live) }),
          },
          {
            href: '/dashboard/items',
            name: t('counts.items'),
            count: counts.items,
            note: t('counts.minted', { count: format.number(counts.minted) }),
          },
          {
            href: '/dashboard/listings?status=ACTIVE',
            name: t('counts.selling'),
            count: counts.selling,
            note: t('counts.ofListings', { count: counts.listings }),
          },
          {
            href: '/dashboard/claims?state=ACTIVE',
            name: t('counts.waiting'),
            count: counts.waiting,
            note: t('counts.claimed', {
              claimed: format.number(counts.claimed),
              all: format.number(counts.claims),
            }),
          },
        ]}
      />
      {(counts.listings > 0 || figures.totals.length > 0) && (
        <SalesCard path="/dashboard" figures={figures} measure={parameters.sales} />
      )}
      {(counts.claims > 0 || counts.minted > 0) && <OverviewActivity days={days} measure={measure} keep={parameters} />}
      {claims.length > 0 && (
        <Card
          flush
          title={t('sentLast')}
          actions={
            <TextLink href="/dashboard/claims" className="text-sm">
              {t('allClaims')}
            </TextLink>
          }
        >
          <ul className="divide-y border-t">
            {claims.map((claim) => (
              <li
                key={claim.id}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3 sm:px-6"
              >
                <TextLink href={`/dashboard/claims/${claim.id}`} className="break-all">
                  {shownEmail(claim.email)}
                </TextLink>
                <span className="flex items-center gap-4 text-sm text-muted">
                  <RelativeTime at={claim.created_at} />
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

/** Calls networks, so the page doesn't wait for it. */
async function WhatNeedsAttention({ ctx }: { ctx: Context }) {
  return <AttentionCard entries={await findAttention(ctx)} />
}

const testnetsFirst = (a: { testnet: boolean }, b: { testnet: boolean }): number =>
  Number(b.testnet) - Number(a.testnet)

const mayDoThem = (ctx: Context): boolean =>
  may(ctx, 'collections:write') && may(ctx, 'items:write') && may(ctx, 'email_claims:write')

/** Calls networks, so the page doesn't wait for it. */
async function WhatIsMissing({ ctx, networkId }: { ctx: Context; networkId: number | null }) {
  return <MissingList missing={await findMissing(ctx, networkId)} />
}
