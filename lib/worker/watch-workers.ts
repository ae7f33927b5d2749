import { alarmSilentWorkers } from '../records/alarms/silent-workers.ts'
import { systemContext } from '../platform/auth/authenticate.ts'
import { loop } from './loop.ts'

const WATCH_MS = 5_000

/** Has silent workers noticed by every other process: the web processes and the workers do this, without a lease. */
export const watchWorkers = (signal: AbortSignal): Promise<void> =>
  loop(
    'watch workers',
    signal,
    async () => {
      await alarmSilentWorkers(systemContext('workers'))
      return WATCH_MS
    },
    { inMaintenance: true },
  )
