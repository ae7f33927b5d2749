import { createHash } from 'node:crypto'
import type { StatementContext } from '../../platform/auth/context.ts'
import { storeItemImage } from '../../platform/jobs/jobs.ts'
import { enqueueAll } from '../../platform/jobs/queue.ts'
import { mediaStemOf } from './media-urls.ts'

type Pictured = { id: string; attributes: Record<string, unknown> }

/** Queues fetching and storing an item's image, unless it is an uploaded file already. */
export const queueItemImage = (tx: StatementContext, id: string, attributes: Pictured['attributes']): Promise<void> =>
  queueItemImages(tx, [{ id, attributes }])

/**
 * Queues fetching and storing the images of many items in one statement, but not of those that are uploaded files
 * already.
 */
export async function queueItemImages(tx: StatementContext, items: readonly Pictured[]): Promise<void> {
  const wanted = items.flatMap(({ id, attributes }) => {
    const source = attributes.image_url
    if (typeof source !== 'string' || !source.startsWith('https:')) return []
    if (mediaStemOf(source, tx.ports.addresses.origin) !== null) return []
    const key = `${id} ${createHash('sha256').update(source).digest('base64url').slice(0, 16)}`
    return [{ payload: { organization_id: tx.organizationId, item_id: id, source }, key }]
  })
  if (wanted.length > 0) await enqueueAll(tx, storeItemImage, wanted)
}
