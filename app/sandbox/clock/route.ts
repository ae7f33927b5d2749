import { clockAnswer, sandboxRoute } from '@/app/sandbox/clock/answers'
import { sandboxClockContext } from '@/lib/platform/auth/narrow-contexts'
import { readSandboxClock } from '@/lib/records/sandbox-clock/read-sandbox-clock'

export const dynamic = 'force-dynamic'

/** The sandbox's business time, and how far it is ahead of real time. */
export const GET = sandboxRoute(async () => clockAnswer(await readSandboxClock(sandboxClockContext())))
