import { getAccount } from './accounts.ts'
import { invalidRequest } from './failure.ts'
import { intentObject } from './objects.ts'
import { getIntentOf, withRefunds } from './payment-intents.ts'
import type { SandboxStore } from './store.ts'

const MAX_LIMIT = 100
const DEFAULT_LIMIT = 10

/**
 * A page of an account's payments, newest first: those created at `created[gte]` or later, and after `starting_after`
 * in this order.
 */
export async function listIntents(
  store: SandboxStore,
  accountId: string,
  form: URLSearchParams,
  expand: readonly string[],
): Promise<object> {
  await getAccount(store, accountId)
  const limit = wholeOf(form, 'limit') ?? DEFAULT_LIMIT
  if (limit < 1 || limit > MAX_LIMIT)
    throw invalidRequest(`Limit must be between 1 and ${MAX_LIMIT}.`, 'parameter_invalid_integer', { param: 'limit' })
  const since = wholeOf(form, 'created[gte]')
  const after = form.get('starting_after')
  const last = after === null ? null : await getIntentOf(store, accountId, after)
  const rows = await store.db.sandboxPaymentIntent.findMany({
    where: {
      accountId,
      ...(since !== null && { createdAt: { gte: new Date(since * 1000) } }),
      ...(last && {
        OR: [{ createdAt: { lt: last.createdAt } }, { createdAt: last.createdAt, id: { lt: last.id } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    ...withRefunds,
  })
  return {
    object: 'list',
    data: rows.slice(0, limit).map((row) => intentObject(row, expand)),
    has_more: rows.length > limit,
    url: '/v1/payment_intents',
  }
}

function wholeOf(form: URLSearchParams, name: string): number | null {
  const value = form.get(name)
  if (value === null) return null
  if (!/^\d{1,10}$/.test(value))
    throw invalidRequest(`Invalid integer: ${value}`, 'parameter_invalid_integer', { param: name })
  return Number(value)
}
