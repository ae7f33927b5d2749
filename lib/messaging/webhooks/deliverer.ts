import { setTimeout as wait } from 'node:timers/promises'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { log } from '../../core/log.ts'
import { deliver } from './deliver.ts'
import { leaseDeliveries } from './lease-deliveries.ts'

/** Posts under way at once in one process. */
export const MAX_CONCURRENT_POSTS = 16

export type Deliverer = {
  /** Takes what is due and begins to post it, as far as there is room. Answers how many. */
  begin(): Promise<number>
  /** Ends with the next post that ends, or after so long. */
  next(ms: number): Promise<void>
  /** Ends once nothing is under way. */
  idle(): Promise<void>
}

/** Posts deliveries, several at once, and knows which receivers it is waiting for. */
export function openDeliverer(worker: () => WorkerContext): Deliverer {
  const busy = new Map<string, number>()
  const posts = new Set<Promise<void>>()
  const count = (webhookId: string, change: 1 | -1) => {
    const now = (busy.get(webhookId) ?? 0) + change
    if (now > 0) busy.set(webhookId, now)
    else busy.delete(webhookId)
  }

  async function begin(): Promise<number> {
    const room = MAX_CONCURRENT_POSTS - posts.size
    const taken = room > 0 ? await leaseDeliveries(worker(), { most: room, busy }) : []
    for (const due of taken) {
      count(due.webhookId, 1)
      const post: Promise<void> = deliver(worker(), due)
        .catch((error: unknown) =>
          log.error(
            { error, deliveryId: due.id },
            'How a webhook’s delivery went could not be noted; it is posted again.',
          ),
        )
        .finally(() => {
          count(due.webhookId, -1)
          posts.delete(post)
        })
      posts.add(post)
    }
    return taken.length
  }

  return {
    begin,
    next: async (ms) => {
      const ended = new AbortController()
      await Promise.race([...posts, wait(ms, undefined, { signal: ended.signal }).catch(() => undefined)])
      ended.abort()
    },
    idle: async () => void (await Promise.all(posts)),
  }
}
