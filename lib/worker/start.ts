import { env } from '../core/env.ts'
import { newId } from '../core/id.ts'
import { log } from '../core/log.ts'
import { disconnect } from '../db/client.ts'
import { onWritten } from '../db/written.ts'
import { tellOfWork } from '../db/work-channel.ts'
import { assertNoExcessRights } from '../db/excess-rights.ts'
import { measureClock } from '../db/measure-clock.ts'
import { systemContext } from '../platform/auth/authenticate.ts'
import type { Chain } from '../ports/chain/chain.ts'
import { ports } from '../ports/ports.ts'
import { readSandboxClock } from '../records/sandbox-clock/read-sandbox-clock.ts'
import { withTimeout } from '../core/with-timeout.ts'
import { openMetadataReader } from '../catalog/items/read-foreign-metadata.ts'
import { openMailer } from '../messaging/outbox/mailer.ts'
import { openDeliverer } from '../messaging/webhooks/deliverer.ts'
import { compareLanes } from '../onchain/recovery/compare-lanes.ts'
import { noticeDatabaseServer } from '../orders/notice-database-server.ts'
import { beat } from './beat.ts'
import { doDueWork } from './do-due-work.ts'
import { followClock } from './follow-clock.ts'
import { followSandboxClock } from './follow-sandbox-clock.ts'
import { hearWork } from './hear-work.ts'
import { openLeadership } from './leadership.ts'
import { openLook } from './look.ts'
import { openJobs } from './run-jobs.ts'
import { runTimer } from './run-timer.ts'
import { serveHealth } from './serve-health.ts'
import { timersOf } from './timers.ts'
import { watchWorkers } from './watch-workers.ts'

const COMPARISON_MS = 10_000

/**
 * Everything that happens without a request: jobs, timers, and for each network its senders, its watcher and its
 * indexer. Any number of workers may run; a task for one is done by one.
 */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  await assertNoExcessRights()
  await measureClock()
  if (env.VITRINE_SANDBOX) await readSandboxClock(systemContext('sandbox clock'))
  const { chains, keys } = ports()
  const ending = new AbortController()
  const { signal } = ending
  const id = newId()
  const health = env.WORKER_HEALTH_PORT ? await serveHealth(env.WORKER_HEALTH_PORT, env.WORKER_HEALTH_HOST) : null
  const leadership = openLeadership(id)
  await withTimeout(noticeDatabaseServer(systemContext('start')), COMPARISON_MS, null)
  await compareBooks([...chains.values()])
  const hearing = hearWork(id, signal, () => look.wake())
  const look = openLook({ networks: [...chains.keys()], hears: hearing.hears, signal })
  tellOfWork(id, signal)
  signal.addEventListener('abort', onWritten(look.wake))
  const timers = timersOf({ chains, keys }).map((timer) => runTimer(timer, leadership, signal, look))
  const dueWork = [
    doDueWork(
      'jobs',
      openJobs(() => systemContext('jobs')),
      { look, signal },
    ),
    doDueWork(
      'deliver webhooks',
      openDeliverer(() => systemContext('webhooks')),
      { look, signal },
    ),
    doDueWork(
      'send urgent mail',
      openMailer(() => systemContext('mail'), { urgent: true }),
      { look, signal },
    ),
    doDueWork(
      'send mail',
      openMailer(() => systemContext('mail'), { urgent: false }),
      { look, signal },
    ),
    doDueWork(
      'read foreign metadata',
      openMetadataReader(() => systemContext('metadata')),
      { look, signal },
    ),
  ]
  const loops = [
    beat(id, signal),
    watchWorkers(signal),
    followClock(signal),
    ...(env.VITRINE_SANDBOX ? [followSandboxClock(signal, { movesChains: true, moved: look.wake })] : []),
    hearing.ended,
    look.ended,
    ...dueWork,
    ...timers,
  ]
  log.info(
    { networks: [...chains.keys()], operators: keys.operators, crashAt: env.CRASH_AT || undefined },
    'The worker runs.',
  )
  return {
    async stop() {
      ending.abort()
      await Promise.all(loops)
      await leadership.close()
      await disconnect()
      await health?.stop()
    },
  }
}

/** Compares the lanes before anything expires or is refunded. A network that doesn't answer soon is compared later. */
async function compareBooks(chains: readonly Chain[]): Promise<void> {
  await Promise.all(
    chains.map(async (chain) => {
      const behind = await withTimeout(compareLanes(systemContext('start'), chain), COMPARISON_MS, null)
      if (!behind) log.warn({ network: chain.network.id }, 'The books can’t be compared with the chain yet.')
    }),
  )
}
