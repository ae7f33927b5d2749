import { getLocale, getTranslations } from 'next-intl/server'
import { Trash2 } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { CampaignForm } from '@/components/dashboard/campaigns/campaign-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Funnel } from '@/components/dashboard/campaigns/funnel'
import { hrefOf } from '@/components/dashboard/lists/href'
import type { Point } from '@/components/dashboard/overview/sales-bars'
import { SalesChart } from '@/components/dashboard/overview/sales-chart'
import { TemplateList } from '@/components/dashboard/campaigns/template-list'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { Time } from '@/components/ui/time'
import { countCampaign } from '@/lib/data/analytics/count-campaign'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { countWaitingGifts } from '@/lib/messaging/campaigns/count-waiting-gifts'
import { getCampaign } from '@/lib/messaging/campaigns/get-campaign'
import { defaultSenderOf, senderFactsOf } from '@/lib/messaging/campaigns/show-campaign'
import { formatTagOf } from '@/lib/core/format-tag'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { listTemplates } from '@/lib/messaging/templates/list-templates'
import { localeOf } from '@/lib/core/locales'
import { mailedOrganization } from '@/lib/organizations/organization-name'
import { deleteCampaignAction, updateCampaignAction } from '../actions'
import { openedCampaign } from '../opened-campaign'

export const generateMetadata = titled('dashboard.campaigns', 'one.title')

const FEW_DAYS = 45

export default async function CampaignPage({ params }: PageProps<'/dashboard/campaigns/[campaignId]'>) {
  const { campaignId } = await params
  const [ctx, t, locale] = await Promise.all([dashboardContext(), getTranslations('dashboard.campaigns'), getLocale()])
  const campaign = await orNotFound(campaignId, (id) => getCampaign(ctx, id))
  const age = (ctx.now().getTime() - campaign.created_at.getTime()) / 86_400_000
  const [figures, templates, sender, waiting] = await Promise.all([
    countCampaign(ctx, campaign.id, { interval: age > FEW_DAYS ? 'WEEK' : 'DAY' }),
    mailedOrganization(ctx).then(({ locale: own }) =>
      listTemplates(ctx, { campaign_id: campaign.id, locale: localeOf(own) }),
    ),
    senderFactsOf(ctx),
    countWaitingGifts(ctx, campaign),
  ])
  const days = new Intl.DateTimeFormat(formatTagOf(locale), { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const points = figures.series.map(({ start, claims: { created, claimed } }): Point => ({
    start: start.toISOString(),
    label: days.format(start),
    value: Number(created),
    text: t('one.point', { created: Number(created), claimed: Number(claimed) }),
  }))
  const mayWrite = may(ctx, 'campaigns:write')
  const own = templates.results.filter(({ source }) => source === 'CAMPAIGN').length
  const defaultSender = defaultSenderOf(sender)
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/campaigns', label: t('title') }}
        title={campaign.name}
        description={<span className="wrap-anywhere">{t('one.mailsFrom', { sender: campaign.email_from })}</span>}
        actions={
          <>
            <LinkButton href={hrefOf('/dashboard/claims', { campaign_id: campaign.id })}>{t('one.claims')}</LinkButton>
            {mayWrite && (
              <ConfirmAction
                action={deleteCampaignAction.bind(null, campaign.id)}
                trigger={
                  <Button variant="danger" icon={<Trash2 aria-hidden="true" className="size-4" />}>
                    {t('one.delete')}
                  </Button>
                }
                title={t('one.deleteTitle')}
                description={[
                  t('one.deleteText', { templates: own, sender: defaultSender }),
                  ...(waiting > 0 ? [t('one.deleteWaiting', { count: waiting, sender: campaign.email_from })] : []),
                ].join(' ')}
                confirm={t('one.deleteConfirm')}
                type={campaign.name}
              />
            )}
          </>
        }
      />
      <Card title={t('one.results')} description={t('one.resultsText')}>
        {figures.totals.created === 0n ? (
          <EmptyState
            title={t('one.nothingSent')}
            action={
              may(ctx, 'email_claims:write') && (
                <LinkButton href={hrefOf('/dashboard/claims/new', { campaign_id: campaign.id })} variant="primary">
                  {t('one.sendItem')}
                </LinkButton>
              )
            }
          >
            {t('one.nothingSentText')}
          </EmptyState>
        ) : (
          <Funnel figures={figures.totals} unsubscribed={figures.unsubscribed} />
        )}
      </Card>
      {figures.totals.created > 0n && (
        <Card
          title={t('one.overTime')}
          description={t(`one.byInterval.${figures.interval === 'DAY' ? 'DAY' : 'WEEK'}`)}
        >
          <SalesChart name={t('one.made')} points={points} />
        </Card>
      )}
      <Card title={t('one.words')} description={t('one.wordsText')} flush>
        <TemplateList templates={templates.results} campaignId={campaign.id} />
      </Card>
      <Card title={t('one.settings')}>
        {mayWrite ? (
          <CampaignForm
            action={updateCampaignAction.bind(null, campaign.id)}
            campaign={{
              name: campaign.name,
              emailFrom: campaign.email_from === defaultSender ? null : campaign.email_from,
              reminderDays: campaign.reminder_days,
              sendAt: campaign.send_at?.toISOString() ?? null,
            }}
            opened={openedCampaign(campaign, defaultSender)}
            defaultSender={defaultSender}
            submit={t('one.save')}
          />
        ) : (
          <Facts>
            <Fact name={t('one.sender')}>{campaign.email_from}</Fact>
            <Fact name={t('one.reminder')}>
              {campaign.reminder_days === 0
                ? t('one.noReminder')
                : t('one.reminderDays', { days: campaign.reminder_days })}
            </Fact>
            {campaign.send_at && (
              <Fact name={t('one.giftsLeave')}>
                <Time at={campaign.send_at} />
              </Fact>
            )}
            <Fact name={t('one.since')}>
              <Time at={campaign.created_at} />
            </Fact>
          </Facts>
        )}
      </Card>
    </>
  )
}
