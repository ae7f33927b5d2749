// A web or worker process of the crash matrix. It loads its code first and begins when it is told its crash points, so
// that one that was killed is replaced at once.
import { armCrashPoints } from '../../../lib/core/crash.ts'

export type Kind = 'web' | 'worker'
export type Order = { crashAt: string; stopAt: string[] }

/** What most of the code of each is reached from, and its program. */
const PROGRAMS: Record<Kind, { code: () => Promise<unknown>; program: () => Promise<unknown> }> = {
  web: {
    code: () => import('../../../scripts/route-table.ts'),
    program: () => import('../../support/web-process.ts'),
  },
  worker: {
    code: () => import('../../../lib/worker/start.ts'),
    program: () => import('../../../scripts/worker.ts'),
  },
}

/** Says how many bytes are in use once everything unused is freed. */
function tellMemory(): void {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send!({ bytes: heapUsed + external })
}

if (import.meta.main) {
  const { code, program } = PROGRAMS[process.argv[2] as Kind]
  process.on('disconnect', () => process.exit(0))
  const loaded = code()
  let isBegun = false
  process.on('message', (order: Order | 'memory') => {
    if (order === 'memory') return tellMemory()
    armCrashPoints(order)
    process.send!('armed')
    if (!isBegun) void loaded.then(program)
    isBegun = true
  })
}
