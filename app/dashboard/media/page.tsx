import type { Metadata } from 'next'
import { Filters } from '@/components/dashboard/filters'
import { hrefOf } from '@/components/dashboard/href'
import { MediaGrid } from '@/components/dashboard/media-grid'
import { MediaUploads } from '@/components/dashboard/media-uploads'
import { Refresh } from '@/components/dashboard/refresh'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Input, Select } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import * as api from '@/lib/api/media'
import { may } from '@/lib/auth/context'
import { dashboardContext } from '@/lib/auth/dashboard'
import { readQuery } from '@/lib/http/page-query'
import { listMedia } from '@/lib/media/list-media'

export const metadata: Metadata = { title: 'Media' }

const path = '/dashboard/media'

export default async function MediaPage({ searchParams }: PageProps<'/dashboard/media'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listMedia.query, await searchParams)
  const media = await listMedia(ctx, { ...query, limit: Math.min(query.limit, 24) })
  const { search, pinning } = query
  const filtered = Boolean(search || pinning)
  const pins = ctx.ports.pinning !== null
  return (
    <>
      {media.results.some((file) => file.pinning === 'PENDING') && <Refresh everySeconds={3} />}
      <PageHeader
        title="Media"
        description={`Pictures for items, collections and mails, in four sizes each, known by the CID that IPFS gives them.${pins ? ' They are pinned on IPFS, too.' : ''}`}
      />
      {may(ctx, 'media:write') && <MediaUploads />}
      {(media.total_results > 0 || filtered) && (
        <Filters path={path} active={filtered}>
          <Field label="Name or CID">
            <Input name="search" type="search" defaultValue={search ?? ''} autoComplete="off" />
          </Field>
          {(pins || pinning) && (
            <Field label="Pinning">
              <Select name="pinning" defaultValue={pinning ?? ''}>
                <option value="">Any</option>
                <option value="PINNED">Pinned</option>
                <option value="PENDING">Being pinned</option>
                <option value="FAILED">Not pinned: failed</option>
                <option value="NONE">Kept here only</option>
              </Select>
            </Field>
          )}
        </Filters>
      )}
      {media.results.length > 0 ? (
        <MediaGrid files={media.results} />
      ) : (
        <Card>
          {filtered ? (
            <EmptyState title="No picture fits">Nothing uploaded has this name, CID or state.</EmptyState>
          ) : (
            <EmptyState title="No picture uploaded yet">
              What you upload here, or in the form of an item or a collection, stands on this page. Copy its address, and use it wherever an image is asked for.
            </EmptyState>
          )}
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, { search, pinning }) : null}
        next={media.cursor && hrefOf(path, { search, pinning, cursor: media.cursor })}
        total={media.total_results}
        noun={media.total_results === 1 ? 'picture' : 'pictures'}
      />
    </>
  )
}
