// The worker process: sends transactions, reads chains, sends mail, runs jobs.
import { stopOnSignal } from './launcher/stop-on-signal.ts'
import { startWorker } from '../lib/worker/start.ts'

const worker = await startWorker()
stopOnSignal(() => worker.stop())
