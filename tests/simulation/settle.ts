import type pg from 'pg'
import { clockMs, moveClockTo } from './clock.ts'
import { BLOCK_MS } from './network.ts'
import { endProcess, finish, type Parts } from './storm.ts'

const MINUTE_MS = 60_000
const BLOCKS_PER_ROUND = 16
/** How much time passes before each round: enough for retries first, then for everything that expires. */
const PAUSES_MS = [
  ...Array.from({ length: 2 }, () => 15_000),
  2 * MINUTE_MS,
  ...Array.from({ length: 4 }, () => 30 * MINUTE_MS),
  ...Array.from({ length: 10 }, () => 120 * MINUTE_MS),
]
/** Rounds after everything is settled, so that alarms end too. */
const LAST_ROUNDS = 2
/** Loops that come every third round only, and those that come twice a round. */
const SELDOM = new Set([
  'adopt',
  'recover',
  'expire claims',
  'list card payments',
  'start and end listings',
  'return unopened',
  'lift locks',
  'check operators',
  'fold figures',
  'fold counts',
  'fold sums of collections',
  'tell alarms',
])
const OFTEN = new Set(['send', 'jobs', 'index'])

/** Rows that aren't at their end, and what they wait for. */
const UNSETTLED = `
  SELECT format('transaction %s is %s', id, state) AS what FROM transactions WHERE state IN ('PENDING', 'SUBMITTED')
  UNION ALL SELECT format('transaction %s isn’t final', id) FROM transactions WHERE state = 'COMPLETED' AND block_number IS NOT NULL AND final_at IS NULL
  UNION ALL SELECT format('mint request %s is %s', id, state) FROM mint_requests WHERE state IN ('WAITING', 'SUBMITTED')
  UNION ALL SELECT format('voucher %s is %s', id, state) FROM vouchers WHERE state = 'PENDING'
  UNION ALL SELECT format('transfer %s is %s', id, state) FROM signed_transfers WHERE state IN ('PENDING', 'SUBMITTED')
  UNION ALL SELECT format('fact %s of voucher %s waits', id, voucher_id) FROM voucher_facts
  UNION ALL SELECT format('payment %s is %s', id, state) FROM payments WHERE state IN ('CREATING', 'OPEN', 'CANCELLING', 'REFUNDING')
  UNION ALL SELECT format('purchase %s is %s and %s', id, status, fulfillment_status) FROM purchase_intents
    WHERE status = 'PENDING' OR (status = 'CONFIRMED' AND fulfillment_status <> 'COMPLETED')
  UNION ALL SELECT format('claim %s is %s', id, state) FROM email_claims WHERE state = 'REDEEMED'
  UNION ALL SELECT format('job %s (%s) waits after %s tries', name, payload, tries) FROM jobs WHERE failed_at IS NULL
  UNION ALL SELECT format('card event %s waits', id) FROM sandbox_events WHERE delivered_at IS NULL`

async function findUnsettled(side: pg.Client): Promise<string[]> {
  const { rows } = await side.query<{ what: string }>(UNSETTLED)
  return rows.map(({ what }) => what)
}

/**
 * The time after the storm: nothing fails any more, one worker is left, and the clock goes on until nothing is to be
 * done.
 */
export async function settle(parts: Parts, side: pg.Client): Promise<string[]> {
  const { network, workers, scheduler } = parts
  const [worker, ...others] = workers
  await finish(parts)
  for (const other of others) await endProcess(parts, other.end())
  let last = 0
  for (const [round, pauseMs] of PAUSES_MS.entries()) {
    const until = clockMs() + pauseMs
    for (let blocks = BLOCKS_PER_ROUND; blocks > 0; blocks--) {
      moveClockTo(Math.max(clockMs() + 1, until - blocks * Math.min(BLOCK_MS, pauseMs / BLOCKS_PER_ROUND)))
      await network.mineCalmly()
    }
    moveClockTo(until)
    scheduler.note('settle', `a round after ${pauseMs} ms`)
    for (const loop of worker!.loops()) {
      if (SELDOM.has(loop.name) && round % 3 > 0) continue
      for (let times = OFTEN.has(loop.name) ? 2 : 1; times > 0; times--) {
        worker!.run(loop)
        await finish(parts)
      }
    }
    if ((await findUnsettled(side)).length > 0) last = 0
    else if (++last > LAST_ROUNDS) return []
  }
  return findUnsettled(side)
}
