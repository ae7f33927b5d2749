import type { Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { updateCollection as endpoint } from '../../platform/api/collections.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, fieldError, nameTaken, unknownId } from '../../core/errors.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/errors.ts'
import { royaltyUnsupported, sendRoyalties } from '../items/send-royalties.ts'
import { assertUploadedFiles } from '../../records/media/media-urls.ts'
import { collectionColumnsOf } from './collection-columns.ts'
import { imageReferencesOf } from './create-collection.ts'
import { lockCollection } from './lock-collection.ts'
import { auditedOf, newSeed } from './reveal.ts'
import { operatorMayMint } from '../../orders/operator-may-mint.ts'
import { adminCollectionOf } from './show-collection.ts'

type Body = Input<typeof endpoint>['body']

/**
 * Changes a collection and sends a changed royalty to its contract. Throws `name_taken`, `image_invalid`,
 * `item_already_minted`, `contents_fixed`, `royalty_unsupported`, `reveal_impossible` and, while the contract is being
 * deployed, `conflict`.
 */
export async function updateCollection(ctx: Context, id: string, body: Body): Promise<Output<typeof endpoint>> {
  try {
    return await inTransaction(ctx, async (tx) => {
      await assertUploadedFiles(tx, imageReferencesOf(body))
      const before = await lockCollection(tx, id)
      if (
        body.editable_metadata &&
        !before.editableMetadata &&
        (await tx.db.item.findFirst({
          where: { collectionId: id, OR: [{ minted: { gt: 0n } }, { minting: { gt: 0n } }] },
          select: { id: true },
        }))
      )
        throw new AppError(
          'item_already_minted',
          'Items of this collection are minted, or being minted: ' +
            'their owners were promised that attributes don’t change.',
        )
      const reveal = await revealChangeOf(tx, before, body)
      const after = await tx.db.collection.update({ where: { id }, data: { ...collectionColumnsOf(body), ...reveal } })
      const royaltyChanged = after.royaltyReceiver !== before.royaltyReceiver || after.royaltyBps !== before.royaltyBps
      if (royaltyChanged && after.deploymentStatus !== null && !operatorMayMint(after)) throw royaltyUnsupported()
      if (royaltyChanged && after.deploymentStatus === 'PENDING')
        throw new AppError(
          'conflict',
          'The contract is being deployed with its royalty. Change it once the deployment is done.',
        )
      if (royaltyChanged) await sendRoyalties(tx, after, [{ ...after, tokenId: null }])
      await recordAudit(tx, {
        action: 'collection.updated',
        subject: { type: 'collection', id },
        before: auditedOf(before),
        after: auditedOf(after),
      })
      return adminCollectionOf(tx, after)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('a collection', body.name)
    if (isForeignKeyViolation(error)) throw unknownId('default_item_type_id', 'item type')
    throw error
  }
}

/** The reveal strategy can change only while no item is locked: after that buyers rely on it. */
async function revealChangeOf(
  tx: Context,
  before: Collection,
  { reveal_strategy: wanted }: Body,
): Promise<Prisma.CollectionUncheckedUpdateInput> {
  if (wanted === undefined || wanted === before.revealStrategy) return {}
  if (await tx.db.item.findFirst({ where: { collectionId: before.id, lockedAt: { not: null } }, select: { id: true } }))
    throw fieldError('reveal_impossible', 'reveal_strategy', 'The reveal strategy is fixed once an item is locked.')
  if (wanted === 'INSTANT')
    return { revealCommitment: null, revealSeed: null, revealProvenance: null, revealedAt: null }
  if (before.tokenType === 'ERC1155' || before.deploymentType === 'EXTERNAL')
    throw fieldError(
      'reveal_impossible',
      'reveal_strategy',
      'A delayed reveal goes with an ERC-721 contract of ours only.',
    )
  return newSeed(before.id)
}
