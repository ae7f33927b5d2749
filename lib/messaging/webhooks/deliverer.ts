import { setTimeout as wait } from 'node:timers/promises'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { log } from '../../core/log.ts'
import { deliver } from './deliver.ts'
import { leaseDeliveries } from './lease-deliveries.ts'

/** Concurrent posts in one process. */
const MAX_CONCURRENT_POSTS = 16

export type Deliverer = {
  /** Leases due deliveries, as many as there is room for, and starts posting them. Returns their number. */
  begin(): Promise<number>
  /** Resolves when a post ends, or after `ms` milliseconds. */
  next(ms: number): Promise<void>
  /** Resolves when all posts started so far have ended. */
  idle(): Promise<void>
}

/** Posts deliveries concurrently and counts the posts in progress per webhook. */
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
    const taken = room > 0 ? await leaseDeliveries(worker(), { max: room, busy }) : []
    for (const due of taken) {
      count(due.webhookId, 1)
      const post: Promise<void> = deliver(worker(), due)
        .catch((error: unknown) =>
          log.error(
            { error, deliveryId: due.id },
            'The outcome of a webhook delivery could not be recorded; it will be posted again.',
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
