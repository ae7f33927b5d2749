import type { z } from 'zod'
import { clockAnswer, sandboxRoute } from '@/app/sandbox/clock/answers'
import { sandboxAdvance } from '@/lib/platform/api/sandbox-clock'
import { sandboxClockContext } from '@/lib/platform/auth/narrow-contexts'
import { parse } from '@/lib/platform/http/parse-input'
import { readBodyBytes } from '@/lib/platform/http/request-body'
import { readBody } from '@/lib/platform/http/sent-body'
import { advanceSandboxClock } from '@/lib/records/sandbox-clock/advance-sandbox-clock'

/** Moves the whole sandbox's business time forward. */
export const POST = sandboxRoute(async (request) => {
  const { headers, method, url } = request
  const sent = await readBody({}, { headers, method, url, bytes: (max) => readBodyBytes(request, max) })
  const input = parse(sandboxAdvance, sent.value) as z.output<typeof sandboxAdvance>
  return clockAnswer(await advanceSandboxClock(sandboxClockContext(), input))
})
