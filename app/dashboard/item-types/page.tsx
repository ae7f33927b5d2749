import { getTranslations } from 'next-intl/server'
import { Plus } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { fieldsOf } from '@/components/dashboard/item-types/schema'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/item-types'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'
import { listItemTypes } from '@/lib/catalog/item-types/list-item-types'

export const generateMetadata = titled('dashboard.itemTypes', 'title')

const path = '/dashboard/item-types'

export default async function ItemTypesPage({ searchParams }: PageProps<'/dashboard/item-types'>) {
  const t = await getTranslations('dashboard.itemTypes')
  const ctx = await dashboardContext()
  const query = readQuery(api.listItemTypes.query, await searchParams)
  const types = await listItemTypes(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const make = may(ctx, 'item_types:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      {t('new')}
    </LinkButton>
  )
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('lead')}
      actions={make}
      noun={[t('noun.one'), t('noun.other')]}
      page={types}
      query={query}
      empty={{
        title: t('empty.title'),
        action: make,
        children: t('empty.text'),
      }}
    >
      <Card flush>
        <DataTable
          caption={t('title')}
          rows={types.results}
          columns={[
            {
              label: t('columns.name'),
              cell: (type) => (
                <TextLink href={`${path}/${type.id}`}>
                  <span className="wrap-anywhere">{type.name}</span>
                </TextLink>
              ),
            },
            {
              label: t('columns.attributes'),
              cell: (type) => (
                <span className="wrap-anywhere text-muted">
                  {fieldsOf(type.schema)
                    .map(({ name }) => name)
                    .join(', ') || t('anyAttributes')}
                </span>
              ),
            },
            {
              label: t('columns.use'),
              cell: (type) =>
                type.in_use ? <Badge tone="positive">{t('inUse')}</Badge> : <Badge>{t('notUsed')}</Badge>,
            },
            { label: t('columns.made'), cell: (type) => <Time at={type.created_at} /> },
          ]}
        />
      </Card>
    </ListPage>
  )
}
