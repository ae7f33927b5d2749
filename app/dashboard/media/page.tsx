import type { Metadata } from 'next'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { MediaGrid } from '@/components/dashboard/media/media-grid'
import { MediaUploads } from '@/components/dashboard/media/media-uploads'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import * as api from '@/lib/platform/api/media'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'
import { listMedia } from '@/lib/records/media/list-media'

export const metadata: Metadata = { title: 'Media' }

const path = '/dashboard/media'

const PINNINGS = {
  PINNED: 'Pinned',
  PENDING: 'Being pinned',
  FAILED: 'Not pinned: failed',
  NONE: 'Kept here only',
} as const

export default async function MediaPage({ searchParams }: PageProps<'/dashboard/media'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listMedia.query, await searchParams)
  const media = await listMedia(ctx, { ...query, limit: Math.min(query.limit, 24) })
  const { search, pinning } = query
  const pins = ctx.ports.pinning !== null
  return (
    <ListPage
      path={path}
      title="Media"
      description={`Pictures for items, collections and mails, in four sizes each, known by the CID that IPFS gives them.${pins ? ' They are pinned on IPFS, too.' : ''}`}
      above={may(ctx, 'media:write') && <MediaUploads />}
      noun={['picture', 'pictures']}
      page={media}
      cursor={query.cursor}
      filters={{
        search: { label: 'Name or CID', value: search },
        pinning: { label: 'Pinning', value: pinning, shown: pinning && PINNINGS[pinning] },
      }}
      fields={
        <>
          <Field label="Name or CID">
            <Input name="search" type="search" defaultValue={search ?? ''} autoComplete="off" />
          </Field>
          {(pins || pinning) && (
            <Field label="Pinning">
              <Select name="pinning" defaultValue={pinning ?? ''}>
                <option value="">Any</option>
                {Object.entries(PINNINGS).map(([state, words]) => (
                  <option key={state} value={state}>
                    {words}
                  </option>
                ))}
              </Select>
            </Field>
          )}
        </>
      }
      empty={{
        title: 'No pictures yet',
        children:
          'Pictures that you upload here, or in the form of an item or a collection, appear on this page. Copy a picture’s address to use it elsewhere.',
      }}
      none={{ children: 'No picture has this name, CID or state.' }}
      refreshSeconds={media.results.some((file) => file.pinning === 'PENDING') && 3}
    >
      <MediaGrid files={media.results} />
    </ListPage>
  )
}
