import type { Suspension } from '../../generated/prisma/client.ts'
import { isUuid } from '../../lib/core/id.ts'
import type { Command } from './command.ts'
import { printUndelivered } from './print-undelivered.ts'

const lineOf = ({ organizationId, collectionId, reason, createdAt }: Suspension) =>
  `${collectionId ? `collection ${collectionId} of ` : ''}organization ${organizationId}, since ${createdAt.toISOString()}: ${reason}`

/**
 * Without an id: what is suspended. With the id of an organization or collection: what was paid there and isn't
 * delivered.
 */
export const suspended: Command = {
  takes: '[<id>]',
  does: 'lists what is suspended; of an organization or collection, what was paid and isn’t delivered',
  run: async (worker, [id]) => {
    const open = await worker.db.suspension.findMany({ where: { endedAt: null }, orderBy: { id: 'asc' } })
    if (id === undefined) {
      if (open.length === 0) console.log('Nothing is suspended.')
      for (const suspension of open) console.log(lineOf(suspension))
      return
    }
    const named = isUuid(id)
      ? open.find(({ organizationId, collectionId }) => (collectionId ?? organizationId) === id.toLowerCase())
      : undefined
    if (!named) throw new Error(`Neither an organization nor a collection ${id} is suspended.`)
    console.log(lineOf(named))
    await printUndelivered(worker, named)
  },
}
