import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { MediaGrid } from '@/components/dashboard/media/media-grid'
import { MediaUploads } from '@/components/dashboard/media/media-uploads'
import * as api from '@/lib/platform/api/media'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'
import { listMedia } from '@/lib/records/media/list-media'

export const generateMetadata = titled('dashboard.media', 'title')

const path = '/dashboard/media'

const PINNINGS = ['PINNED', 'PENDING', 'FAILED', 'NONE'] as const

export default async function MediaPage({ searchParams }: PageProps<'/dashboard/media'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listMedia.query, await searchParams)
  const media = await listMedia(ctx, { ...query, limit: Math.min(query.limit, 24) })
  const t = await getTranslations('dashboard.media')
  const { pinning } = query
  const pins = ctx.ports.pinning !== null
  const pinnings = PINNINGS.map((state) => [state, t(`pinnings.${state}`)] as const)
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={pins ? t('leadPinned') : t('lead')}
      above={may(ctx, 'media:write') && <MediaUploads />}
      noun={[t('noun.one'), t('noun.other')]}
      page={media}
      query={query}
      filters={[
        { name: 'search', label: t('search'), input: { autoComplete: 'off' } },
        ...(pins || pinning
          ? [{ name: 'pinning' as const, label: t('pinning'), options: pinnings, any: t('any') }]
          : []),
      ]}
      empty={{
        title: t('none'),
        children: t('noneLead'),
      }}
      none={{ children: t('noneSuch') }}
      refreshSeconds={media.results.some((file) => file.pinning === 'PENDING') && 3}
    >
      <MediaGrid files={media.results} />
    </ListPage>
  )
}
