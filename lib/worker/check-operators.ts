import { raiseAlarm, resolveAlarm } from '../records/alarms/raise-alarm.ts'
import type { Context } from '../platform/auth/context.ts'
import { secondsFrom } from '../core/clock.ts'
import { env } from '../core/env.ts'
import { alarmOperatorLow, laneName } from '../onchain/transactions/lane.ts'

const GWEI = 1_000_000_000n
/** Nothing of ours waits longer than this in good order. */
const STUCK_SECONDS = 600

/** Looks at every operator's balance and at the age of what waits: trouble becomes an alarm, and its end ends the alarm. */
export async function checkOperators(ctx: Context): Promise<void> {
  for (const chain of ctx.ports.chains.values()) {
    const networkId = chain.network.id
    for (const operator of ctx.ports.keys.operators) {
      const balance = await chain.balance(operator)
      if (balance < BigInt(env.OPERATOR_FLOOR_GWEI) * GWEI) await alarmOperatorLow(ctx, networkId, operator)
      else await resolveAlarm(ctx, 'operator_low', laneName(networkId, operator))
    }
    await checkAges(ctx, networkId)
  }
  await resolveUnstuck(ctx)
}

async function checkAges(ctx: Context, networkId: number): Promise<void> {
  const late = { lt: secondsFrom(ctx.now(), -STUCK_SECONDS) }
  const oldest = await ctx.db.transaction.findFirst({
    where: {
      networkId,
      OR: [
        { state: 'PENDING', createdAt: late },
        { state: 'SUBMITTED', blockNumber: null, submittedAt: late },
      ],
    },
    orderBy: { id: 'asc' },
    select: { id: true },
  })
  if (oldest)
    return raiseAlarm(
      ctx,
      'operator_stuck',
      `network ${networkId}`,
      `Transaction ${oldest.id} on network ${networkId} has waited for more than 10 minutes.`,
    )
  await resolveAlarm(ctx, 'operator_stuck', `network ${networkId}`)
}

/** Alarms about single transactions end with what they were about. */
async function resolveUnstuck(ctx: Context): Promise<void> {
  const alarms = await ctx.db.alarm.findMany({
    where: { kind: 'operator_stuck', resolvedAt: null, NOT: { subject: { startsWith: 'network' } } },
    take: 100,
  })
  const stuck = await ctx.db.transaction.findMany({
    where: { id: { in: alarms.map((alarm) => alarm.subject) }, state: 'SUBMITTED', blockNumber: null },
    select: { id: true },
  })
  for (const { subject } of alarms)
    if (!stuck.some(({ id }) => id === subject)) await resolveAlarm(ctx, 'operator_stuck', subject)
}
