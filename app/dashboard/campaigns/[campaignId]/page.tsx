import type { Metadata } from 'next'
import { Trash2 } from 'lucide-react'
import { CampaignForm } from '@/components/dashboard/campaigns/campaign-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Funnel } from '@/components/dashboard/campaigns/funnel'
import { hrefOf } from '@/components/dashboard/lists/href'
import type { Point } from '@/components/dashboard/overview/sales-bars'
import { SalesChart } from '@/components/dashboard/overview/sales-chart'
import { TemplateList } from '@/components/dashboard/campaigns/template-list'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { Time } from '@/components/ui/time'
import { countCampaign } from '@/lib/data/analytics/count-campaign'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCampaign } from '@/lib/messaging/campaigns/get-campaign'
import { defaultSenderOf, senderFactsOf } from '@/lib/messaging/campaigns/show-campaign'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { listTemplates } from '@/lib/messaging/templates/list-templates'
import { deleteCampaignAction, updateCampaignAction } from '../actions'

export const metadata: Metadata = { title: 'Campaign' }

const FEW_DAYS = 45

export default async function CampaignPage({ params }: PageProps<'/dashboard/campaigns/[campaignId]'>) {
  const { campaignId } = await params
  const ctx = await dashboardContext()
  const campaign = await orNotFound(campaignId, (id) => getCampaign(ctx, id))
  const days = (ctx.now().getTime() - campaign.created_at.getTime()) / 86_400_000
  const [figures, templates, sender] = await Promise.all([
    countCampaign(ctx, campaign.id, { interval: days > FEW_DAYS ? 'WEEK' : 'DAY' }),
    listTemplates(ctx, { campaign_id: campaign.id }),
    senderFactsOf(ctx),
  ])
  const mayWrite = may(ctx, 'campaigns:write')
  const own = templates.results.filter(({ source }) => source === 'CAMPAIGN').length
  const defaultSender = defaultSenderOf(sender)
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/campaigns', label: 'Campaigns' }}
        title={campaign.name}
        description={<span className="wrap-anywhere">Mails come from {campaign.email_from}.</span>}
        actions={
          <>
            <LinkButton href={hrefOf('/dashboard/claims', { campaign_id: campaign.id })}>Its claims</LinkButton>
            {mayWrite && (
              <ConfirmAction
                action={deleteCampaignAction.bind(null, campaign.id)}
                trigger={
                  <Button variant="danger" icon={<Trash2 aria-hidden="true" className="size-4" />}>
                    Delete
                  </Button>
                }
                title="Delete this campaign?"
                description={`${own === 0 ? 'Its figures are deleted too.' : `Its ${own === 1 ? 'template' : `${own} templates`} and figures are deleted too.`} Its listings and claims stay: from then on their emails use your default templates, or the built-in ones, and ${defaultSender} as their sender. This can’t be undone.`}
                confirm="Delete it"
                type={campaign.name}
              />
            )}
          </>
        }
      />
      <Card title="Results" description="Every claim of this campaign, counted once.">
        {figures.totals.created === 0n ? (
          <EmptyState
            title="Nothing sent yet"
            action={
              may(ctx, 'email_claims:write') && (
                <LinkButton href={hrefOf('/dashboard/claims/new', { campaign_id: campaign.id })} variant="primary">
                  Send an item
                </LinkButton>
              )
            }
          >
            Choose this campaign when you send an item or sell one by email. You’ll see here how many were opened and
            claimed.
          </EmptyState>
        ) : (
          <Funnel figures={figures.totals} unsubscribed={figures.unsubscribed} />
        )}
      </Card>
      {figures.totals.created > 0n && (
        <Card
          title="Over time"
          description={`Claims by the ${figures.interval === 'DAY' ? 'day' : 'week'} on which they were made.`}
        >
          <SalesChart name="Claims made" points={figures.series.map(pointOf)} />
        </Card>
      )}
      <Card
        title="Words"
        description="Without templates of its own, a campaign uses your default ones, or the built-in ones."
        flush
      >
        <TemplateList templates={templates.results} campaignId={campaign.id} />
      </Card>
      <Card title="Settings">
        {mayWrite ? (
          <CampaignForm
            action={updateCampaignAction.bind(null, campaign.id)}
            campaign={{
              name: campaign.name,
              emailFrom: campaign.email_from === defaultSender ? null : campaign.email_from,
              reminderDays: campaign.reminder_days,
              sendAt: campaign.send_at?.toISOString() ?? null,
            }}
            defaultSender={defaultSender}
            submit="Save"
          />
        ) : (
          <Facts>
            <Fact name="Sender">{campaign.email_from}</Fact>
            <Fact name="Reminder">
              {campaign.reminder_days === 0 ? 'None' : `${campaign.reminder_days} days before a link expires`}
            </Fact>
            {campaign.send_at && (
              <Fact name="Gifts leave">
                <Time at={campaign.send_at} />
              </Fact>
            )}
            <Fact name="Since">
              <Time at={campaign.created_at} />
            </Fact>
          </Facts>
        )}
      </Card>
    </>
  )
}

type Interval = Awaited<ReturnType<typeof countCampaign>>['series'][number]

function pointOf({ start, claims }: Interval): Point {
  const label = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(start)
  return {
    start: start.toISOString(),
    label,
    value: Number(claims.created),
    text: `${claims.created.toLocaleString('en')}, of which ${claims.claimed.toLocaleString('en')} claimed`,
  }
}
