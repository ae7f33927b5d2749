// The worker process: sends transactions, reads chains, sends mail, runs jobs.
import { stopOnSignal } from './launcher/stop-on-signal.ts'
import { env } from '../lib/core/env.ts'
import { redactOutput } from '../lib/core/redact.ts'
import { limitStatements } from '../lib/db/client.ts'
import { assertStartable } from '../lib/ports/start-problems.ts'
import { startWorker } from '../lib/worker/start.ts'

/** No task needs as much for one statement: those on many rows take them in batches. */
const STATEMENT_MS = 600_000

redactOutput()
assertStartable(env)
limitStatements(STATEMENT_MS)
const worker = await startWorker()
stopOnSignal(() => worker.stop())
