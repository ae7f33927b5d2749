import type { Place } from '../../lib/platform/auth/suspended.ts'
import type { SystemContext } from '../../lib/platform/auth/context.ts'
import { isUuid } from '../../lib/core/id.ts'

/**
 * Reads the organization or collection that `organization <id>` or `collection <id>` names. Throws with a sentence
 * about what is missing.
 */
export async function readPlace(
  { db }: SystemContext,
  kind: string | undefined,
  id: string | undefined,
): Promise<Place> {
  if ((kind !== 'organization' && kind !== 'collection') || !id || !isUuid(id))
    throw new Error('Say what: organization <id>, or collection <id>.')
  if (kind === 'organization') {
    const organization = await db.organization.findUnique({ where: { id }, select: { id: true } })
    if (!organization) throw new Error(`There is no organization ${id}.`)
    return { organizationId: organization.id, collectionId: null }
  }
  const collection = await db.collection.findUnique({ where: { id }, select: { id: true, organizationId: true } })
  if (!collection) throw new Error(`There is no collection ${id}.`)
  return { organizationId: collection.organizationId, collectionId: collection.id }
}
