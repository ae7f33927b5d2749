import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createCollection as endpoint } from '../../platform/api/collections.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, nameTaken, unknownId } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/errors.ts'
import { type ImageReference, assertUploadedFiles } from '../../records/media/media-urls.ts'
import { collectionColumnsOf } from './collection-columns.ts'
import { prepareDeployment } from './prepare-deployment.ts'
import { auditedOf, newSeed } from './reveal.ts'
import { applyDeployment, withContractTakenError } from './request-deployment.ts'
import { adminCollectionOf } from './show-collection.ts'

type Body = Input<typeof endpoint>['body']

/**
 * Creates a collection and, if requested, its deployment in the same transaction. Throws `name_taken`, `image_invalid`
 * and what `requestDeployment` throws.
 */
export async function createCollection(ctx: Context, body: Body): Promise<Output<typeof endpoint>> {
  const prepared = body.deployment_request
    ? await withFieldPrefix('deployment_request', () => prepareDeployment(ctx, body.deployment_request!))
    : null
  try {
    const create = () =>
      inTransaction(ctx, async (tx) => {
        await assertUploadedFiles(tx, imageReferencesOf(body))
        const id = newId()
        const seed = body.reveal_strategy === 'DELAYED' ? newSeed(id) : {}
        const created = await tx.db.collection.create({
          data: {
            id,
            organizationId: tx.organizationId,
            createdAt: tx.now(),
            ...collectionColumnsOf(body),
            name: body.name,
            ...seed,
          },
        })
        await recordAudit(tx, {
          action: 'collection.created',
          subject: { type: 'collection', id },
          after: auditedOf(created),
        })
        return adminCollectionOf(
          tx,
          prepared
            ? await withFieldPrefix('deployment_request', () => applyDeployment(tx, created.id, prepared))
            : created,
        )
      })
    return await withContractTakenError(create, 'deployment_request.external.address')
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('a collection', body.name)
    if (isForeignKeyViolation(error)) throw unknownId('default_item_type_id', 'item type')
    throw error
  }
}

/** The image URLs in a request body, with their fields. */
export const imageReferencesOf = ({
  image_url,
  media,
  preview_metadata,
}: Pick<Body, 'image_url' | 'media' | 'preview_metadata'>): ImageReference[] => [
  { url: image_url, field: 'image_url' },
  { url: media?.header_image_url, field: 'media.header_image_url' },
  { url: media?.thumbnail_image_url, field: 'media.thumbnail_image_url' },
  { url: preview_metadata?.image_url, field: 'preview_metadata.image_url' },
]

/** Runs `work` and puts `part` before the field names of its errors, which then refer to the whole body. */
async function withFieldPrefix<T>(part: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.fields.length === 0) throw error
    throw new AppError(error.code, error.message, {
      cause: error,
      fields: error.fields.map((one) => ({ ...one, field: `${part}.${one.field}` })),
      extra: error.extra,
    })
  }
}
