import { within, type SystemContext } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/** Lets every collection promise again. */
export async function releaseAllPromises(worker: SystemContext): Promise<void> {
  await worker.db.collection.updateMany({ where: { promisesFrom: { not: null } }, data: { promisesFrom: null } })
}

/** A person knows that no voucher of a collection is missing in the books: its units are promised again at once. */
export async function releasePromises(worker: SystemContext, collectionId: string): Promise<void> {
  const collection = await worker.db.collection.findFirst({
    where: { id: collectionId },
    select: { organizationId: true },
  })
  if (!collection) throw notFound()
  await within(worker, collection.organizationId, (own) =>
    own.db.collection.updateMany({ where: { id: collectionId }, data: { promisesFrom: null } }),
  )
}
