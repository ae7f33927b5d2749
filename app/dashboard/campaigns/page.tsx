import { getLocale, getTranslations } from 'next-intl/server'
import { Plus } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { percentOf } from '@/components/dashboard/campaigns/funnel'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { TemplateList } from '@/components/dashboard/campaigns/template-list'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { Sentence } from '@/components/ui/sentence'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { funnelsOf } from '@/lib/data/analytics/count-claims'
import * as api from '@/lib/platform/api/campaigns'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCampaigns } from '@/lib/messaging/campaigns/list-campaigns'
import { readQuery } from '@/lib/platform/http/page-query'
import { listTemplates } from '@/lib/messaging/templates/list-templates'
import { localeOf } from '@/lib/core/locales'
import { mailedOrganization } from '@/lib/organizations/organization-name'

export const generateMetadata = titled('dashboard.campaigns', 'title')

const path = '/dashboard/campaigns'

export default async function CampaignsPage({ searchParams }: PageProps<'/dashboard/campaigns'>) {
  const [ctx, t, locale] = await Promise.all([dashboardContext(), getTranslations('dashboard.campaigns'), getLocale()])
  const query = readQuery(api.listCampaigns.query, await searchParams)
  const [campaigns, templates] = await Promise.all([
    listCampaigns(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    mailedOrganization(ctx).then(({ locale: own }) => listTemplates(ctx, { locale: localeOf(own) })),
  ])
  const funnels = await funnelsOf(
    ctx,
    campaigns.results.map(({ id }) => id),
  )
  const withShare = (many: bigint, created: bigint) => {
    const percent = percentOf(Number(many), Number(created))
    return percent === null
      ? many.toLocaleString(locale)
      : t('list.withShare', { count: Number(many), share: t('funnel.share', { percent }) })
  }
  const make = may(ctx, 'campaigns:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      {t('list.new')}
    </LinkButton>
  )
  return (
    <>
      <ListPage
        path={path}
        title={t('title')}
        description={t('list.description')}
        actions={make}
        noun={[t('noun.one'), t('noun.other')]}
        page={campaigns}
        query={query}
        filters={[
          {
            name: 'name',
            label: t('list.called'),
            field: t('list.nameExactly'),
            input: { type: 'text', autoComplete: 'off' },
          },
        ]}
        empty={{
          title: t('list.emptyTitle'),
          action: make,
          children: t('list.empty'),
        }}
      >
        <Card flush>
          <DataTable
            caption={t('title')}
            rows={campaigns.results.map((campaign) => ({ ...campaign, ...funnels.get(campaign.id)! }))}
            columns={[
              {
                label: t('list.name'),
                cell: (campaign) => (
                  <TextLink href={`${path}/${campaign.id}`} className="wrap-anywhere">
                    {campaign.name}
                  </TextLink>
                ),
              },
              {
                label: t('list.sender'),
                cell: (campaign) => <span className="wrap-anywhere">{campaign.email_from}</span>,
              },
              { label: t('list.sent'), align: 'right', cell: ({ sent }) => sent.toLocaleString(locale) },
              { label: t('list.opened'), align: 'right', cell: ({ opened, created }) => withShare(opened, created) },
              { label: t('list.claimed'), align: 'right', cell: ({ claimed, created }) => withShare(claimed, created) },
              { label: t('list.since'), cell: (campaign) => <Time at={campaign.created_at} /> },
            ]}
          />
        </Card>
      </ListPage>
      <Card
        title={t('list.templates')}
        description={
          <Sentence>
            {t.rich('list.templatesText', {
              link: (text) => <TextLink href="/dashboard/settings#look">{text}</TextLink>,
            })}
          </Sentence>
        }
        flush
      >
        <TemplateList templates={templates.results} campaignId={null} />
      </Card>
    </>
  )
}
