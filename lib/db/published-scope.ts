import type { PrismaClient } from '../../generated/prisma/client.ts'
import { publicClient } from './client.ts'
import { type Args, PUBLISHED, READS } from './confine.ts'
import { withModelCalls } from './model-calls.ts'
import { type Bounds, madeOnce, reach, type Reach, rowsAlone, type Scope } from './scope.ts'

const published = new WeakMap<PrismaClient, Record<'listed' | 'deployed', Scope>>()

/**
 * Published rows as statements that are sent often read them, in one round trip. What they may show beyond row-level
 * security is up to them.
 */
export const publishedRows: Reach['rows'] = rowsAlone('vitrine_public', undefined)

/**
 * Everything published, of all organizations; read only. `listed: false` also shows what is deployed but in private
 * collections.
 */
export function publishedScope({ listed, signal }: { listed: boolean } & Pick<Bounds, 'signal'>): Scope {
  const scopes = madeOnce(published, publicClient(), (client) => ({
    listed: makePublished(client, true),
    deployed: makePublished(client, false),
  }))
  const scope = scopes[listed ? 'listed' : 'deployed']
  if (!signal) return scope
  const db = withModelCalls(scope.db, async (delegate, _, operation, args) => {
    signal.throwIfAborted()
    return delegate[operation]!(args)
  })
  return { ...scope, db, rows: rowsAlone('vitrine_public', signal) }
}

function makePublished(client: PrismaClient, listed: boolean): Scope {
  const db = client.$extends({
    name: 'published',
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const visible = PUBLISHED[model]
          if (!visible || !READS.has(operation)) throw new Error(`${model}.${operation} is not open to the public.`)
          const where = (args as Args).where
          const unique = operation.startsWith('findUnique')
          return query({
            ...args,
            where: unique ? { ...where, AND: [visible(listed)] } : { AND: [where ?? {}, visible(listed)] },
          })
        },
      },
    },
  })
  const seen = reach(db, client, publishedRows)
  return { ...seen, transaction: (work) => work(seen) }
}
