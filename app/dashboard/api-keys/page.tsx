import { getTranslations } from 'next-intl/server'
import { Plus } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { Sentence } from '@/components/ui/sentence'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/api-keys'
import { PERMISSIONS } from '@/lib/platform/api/permissions'
import { listApiKeys } from '@/lib/records/api-keys/list-api-keys'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'
import { revokeKey } from './actions'

export const generateMetadata = titled('dashboard.apiKeys', 'title')

const path = '/dashboard/api-keys'

export default async function ApiKeysPage({ searchParams }: PageProps<'/dashboard/api-keys'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listApiKeys.query, await searchParams)
  const [keys, t] = await Promise.all([listApiKeys(ctx, query), getTranslations('dashboard.apiKeys')])
  const mayWrite = may(ctx, 'api_keys:write')
  const make = mayWrite && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      {t('new')}
    </LinkButton>
  )
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={<Sentence>{t.rich('lead', { docs: (text) => <TextLink href="/docs">{text}</TextLink> })}</Sentence>}
      actions={make}
      noun={[t('noun.one'), t('noun.other')]}
      page={keys}
      query={query}
      empty={{
        title: t('none'),
        action: make,
        children: t('noneLead'),
      }}
    >
      <Card flush>
        <DataTable
          caption={t('title')}
          rows={keys.results}
          columns={[
            {
              label: t('name'),
              cell: (key) => (
                <span className="flex flex-wrap items-center gap-2">
                  <span>{key.name}</span>
                  <Badge tone={key.mode === 'LIVE' ? 'warning' : 'neutral'}>
                    {key.mode === 'LIVE' ? t('live') : t('test')}
                  </Badge>
                </span>
              ),
            },
            { label: t('begins'), cell: (key) => <span className="figures">{`${key.prefix}…`}</span> },
            {
              label: t('permissions'),
              cell: (key) =>
                key.permissions.length === PERMISSIONS.length
                  ? t('all')
                  : t('some', { count: key.permissions.length, all: PERMISSIONS.length }),
            },
            {
              label: t('lastUsed'),
              cell: (key) => (key.last_used_at ? <RelativeTime at={key.last_used_at} /> : t('never')),
            },
            { label: t('expires'), cell: (key) => (key.expires_at ? <Time at={key.expires_at} /> : t('never')) },
            {
              label: t('actions'),
              actions: true,
              cell: (key) =>
                mayWrite && (
                  <ConfirmAction
                    action={revokeKey.bind(null, key.id)}
                    trigger={
                      <Button size="sm" variant="danger" aria-label={t('revokeFor', { name: key.name })}>
                        {t('revoke')}
                      </Button>
                    }
                    title={t('revokeTitle', { name: key.name })}
                    description={t('revokeLead')}
                    confirm={t('revokeIt')}
                    type={key.name}
                  />
                ),
            },
          ]}
        />
      </Card>
    </ListPage>
  )
}
