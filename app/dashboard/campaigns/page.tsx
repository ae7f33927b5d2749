import type { Metadata } from 'next'
import { Plus } from 'lucide-react'
import { shareOf } from '@/components/dashboard/campaigns/funnel'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { TemplateList } from '@/components/dashboard/campaigns/template-list'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { funnelsOf } from '@/lib/data/analytics/count-claims'
import * as api from '@/lib/platform/api/campaigns'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCampaigns } from '@/lib/messaging/campaigns/list-campaigns'
import { readQuery } from '@/lib/platform/http/page-query'
import { listTemplates } from '@/lib/messaging/templates/list-templates'

export const metadata: Metadata = { title: 'Campaigns' }

const path = '/dashboard/campaigns'

export default async function CampaignsPage({ searchParams }: PageProps<'/dashboard/campaigns'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listCampaigns.query, await searchParams)
  const [campaigns, templates] = await Promise.all([
    listCampaigns(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listTemplates(ctx),
  ])
  const funnels = await funnelsOf(
    ctx,
    campaigns.results.map(({ id }) => id),
  )
  const make = may(ctx, 'campaigns:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      New campaign
    </LinkButton>
  )
  return (
    <>
      <ListPage
        path={path}
        title="Campaigns"
        description="Group claims and listings, set their sender and emails, and see how many were opened and claimed."
        actions={make}
        noun={['campaign', 'campaigns']}
        page={campaigns}
        cursor={query.cursor}
        filters={{ name: { label: 'Called', value: query.name } }}
        fields={
          <Field label="Name, exactly">
            <Input name="name" defaultValue={query.name ?? ''} autoComplete="off" />
          </Field>
        }
        empty={{
          title: 'No campaign yet',
          action: make,
          children:
            'Give a campaign a name and a sender, write its emails, and choose it when you send or sell items. You’ll see how many were opened and claimed.',
        }}
      >
        <Card flush>
          <Table caption="Campaigns">
            <Thead>
              <Th>Name</Th>
              <Th>Sender</Th>
              <Th align="right">Sent</Th>
              <Th align="right">Opened</Th>
              <Th align="right">Claimed</Th>
              <Th>Since</Th>
            </Thead>
            <Tbody>
              {campaigns.results.map((campaign) => {
                const { created, sent, opened, claimed } = funnels.get(campaign.id)!
                const share = (many: bigint) => (created === 0n ? '' : ` (${shareOf(Number(many), Number(created))})`)
                return (
                  <Tr key={campaign.id}>
                    <Td rowHeader>
                      <TextLink href={`${path}/${campaign.id}`} className="wrap-anywhere">
                        {campaign.name}
                      </TextLink>
                    </Td>
                    <Td label="Sender">
                      <span className="wrap-anywhere">{campaign.email_from}</span>
                    </Td>
                    <Td label="Sent" align="right">
                      {sent.toLocaleString('en')}
                    </Td>
                    <Td label="Opened" align="right">
                      {opened.toLocaleString('en')}
                      {share(opened)}
                    </Td>
                    <Td label="Claimed" align="right">
                      {claimed.toLocaleString('en')}
                      {share(claimed)}
                    </Td>
                    <Td label="Since">
                      <Time at={campaign.created_at} />
                    </Td>
                  </Tr>
                )
              })}
            </Tbody>
          </Table>
        </Card>
      </ListPage>
      <Card
        title="Email templates"
        description={
          <>
            Used for emails without a campaign, and for campaigns without templates of their own. Their look is set
            under <TextLink href="/dashboard/settings#look">Settings</TextLink>.
          </>
        }
        flush
      >
        <TemplateList templates={templates.results} campaignId={null} />
      </Card>
    </>
  )
}
