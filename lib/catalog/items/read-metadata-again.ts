import type { Input } from '../../platform/api/endpoint.ts'
import type { refreshMetadata as endpoint } from '../../platform/api/deployments.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound, unknownId } from '../../core/errors.ts'
import { ALL_TOKENS, requestMetadata } from './request-metadata.ts'

/**
 * Has the metadata of an external contract's tokens read again: of these items, or of all. Throws `not_found` and
 * `not_external`.
 */
export const readMetadataAgain = (
  ctx: Context,
  collectionId: string,
  { item_ids: itemIds }: Input<typeof endpoint>['body'],
): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const collection = await tx.db.collection.findFirst({ where: { id: collectionId } })
    if (!collection) throw notFound()
    const ranges = await rangesOf(tx, collectionId, itemIds)
    if (collection.deploymentType !== 'EXTERNAL' || collection.deploymentStatus !== 'SUCCESS')
      throw new AppError(
        'not_external',
        'Only the metadata of an external contract that is connected can be read again.',
      )
    await requestMetadata(tx, ranges)
    await recordAudit(tx, {
      action: 'collection.metadata_requested',
      subject: { type: 'collection', id: collectionId },
      after: { item_ids: itemIds ?? null },
    })
    return undefined
  })

async function rangesOf(tx: Context, collectionId: string, itemIds: readonly string[] | null | undefined) {
  if (!itemIds) return [{ collectionId, ...ALL_TOKENS }]
  const ids = [...new Set(itemIds)]
  const items = await tx.db.item.findMany({
    where: { id: { in: ids }, collectionId },
    select: { id: true, tokenId: true },
  })
  const known = new Set(items.map(({ id }) => id))
  const unknown = itemIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw unknownId(`item_ids.${unknown}`, 'item')
  return items.flatMap(({ tokenId }) =>
    tokenId === null ? [] : { collectionId, from: BigInt(tokenId), to: BigInt(tokenId) },
  )
}
