import { createHash } from 'node:crypto'
import type { Context } from '../../platform/auth/context.ts'
import { storeItemImage } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { mediaCidOf } from './media-urls.ts'

/** Queues fetching and storing an item's image, unless it is an uploaded file already. */
export async function queueItemImage(tx: Context, itemId: string, attributes: Record<string, unknown>): Promise<void> {
  const source = attributes.image_url
  if (
    typeof source !== 'string' ||
    !source.startsWith('https:') ||
    mediaCidOf(source, tx.ports.addresses.origin) !== null
  )
    return
  const key = `${itemId} ${createHash('sha256').update(source).digest('base64url').slice(0, 16)}`
  await enqueue(tx, storeItemImage, { organization_id: tx.organizationId, item_id: itemId, source }, { key })
}
