import { setTimeout as wait } from 'node:timers/promises'
import { workerContext } from '../platform/auth/authenticate.ts'
import { openDeliverer } from '../messaging/webhooks/deliverer.ts'
import { loop } from './loop.ts'

const IDLE_MS = 500
/** How long posts in flight may take when the worker stops. Those that take longer are posted again by the next worker. */
const SHUTDOWN_MS = 5_000

/** Posts events to webhooks while this worker runs. Any number of workers may do so at the same time. */
export async function deliverWebhooks(signal: AbortSignal): Promise<void> {
  const deliverer = openDeliverer(() => workerContext('webhooks'))
  await loop('deliver webhooks', signal, async () => {
    if ((await deliverer.begin()) === 0) await deliverer.next(IDLE_MS)
    return 0
  })
  await Promise.race([deliverer.idle(), wait(SHUTDOWN_MS, undefined, { ref: false })])
}
