import type { Metadata } from 'next'
import { cache } from 'react'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { Address } from '@/components/ui/address'
import { Card } from '@/components/ui/card'
import { titleOf } from '@/components/ui/item-title'
import { RelativeTime } from '@/components/ui/relative-time'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { findItems } from '@/lib/catalog/items/find-items'
import { getPerk } from '@/lib/onchain/perks/get-perk'
import { listPerkCodes } from '@/lib/onchain/perks/list-perk-codes'
import * as api from '@/lib/platform/api/perks'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { readQuery } from '@/lib/platform/http/page-query'

export async function generateMetadata({ params }: PageProps<'/dashboard/perks/[perkId]'>): Promise<Metadata> {
  return { title: (await readPerk((await params).perkId)).title }
}

/** Read once for the page and its metadata. */
const readPerk = cache(async (perkId: string) => {
  const ctx = await dashboardContext()
  return orNotFound(perkId, (id) => getPerk(ctx, id))
})

/** Who got which code of a perk. */
export default async function PerkPage({ params, searchParams }: PageProps<'/dashboard/perks/[perkId]'>) {
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.perks')])
  const perk = await readPerk((await params).perkId)
  if (!perk.codes) notFound()
  const query = readQuery(api.listPerkCodes.query, await searchParams)
  const given = await listPerkCodes(ctx, perk.id, { ...query, limit: Math.min(query.limit, 50) })
  const items = await findItems(
    ctx,
    given.results.map(({ item_id }) => item_id),
  )
  const titleFor = (itemId: string) => {
    const item = items.get(itemId)
    return item ? titleOf(item) : t('given.anItem')
  }
  return (
    <ListPage
      path={`/dashboard/perks/${perk.id}`}
      title={perk.title}
      description={t('given.description', { given: perk.codes.given, total: perk.codes.total })}
      noun={[t('noun.one'), t('noun.other')]}
      page={given}
      query={query}
      empty={{ title: t('given.emptyTitle'), children: t('given.empty') }}
    >
      <Card flush>
        <DataTable
          caption={t('given.caption')}
          rows={given.results}
          columns={[
            {
              label: t('given.code'),
              cell: ({ code }) =>
                code === null ? t('given.hidden') : <span className="figures break-all">{code}</span>,
            },
            {
              label: t('given.item'),
              cell: ({ item_id: itemId, unit }) => (
                <>
                  <TextLink href={`/dashboard/items/${itemId}`}>{titleFor(itemId)}</TextLink>
                  {unit > 1 && <span className="text-muted">{` ${t('given.unit', { unit })}`}</span>}
                </>
              ),
            },
            { label: t('given.to'), cell: ({ address }) => <Address value={address} /> },
            { label: t('given.when'), cell: ({ given_at }) => <RelativeTime at={given_at} /> },
          ]}
        />
      </Card>
    </ListPage>
  )
}
