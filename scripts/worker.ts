// The worker process: sends transactions, reads chains, sends mail, runs jobs.
import { stopOnSignal } from './launcher/stop-on-signal.ts'
import { env } from '../lib/core/env.ts'
import { assertStartable } from '../lib/ports/start-problems.ts'
import { startWorker } from '../lib/worker/start.ts'

assertStartable(env)
const worker = await startWorker()
stopOnSignal(() => worker.stop())
