import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { systemClient } from '../../lib/db/client.ts'
import { isDatabaseDown } from '../../lib/db/errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { until } from './until.ts'

/** Operations that may write without an audit entry, and why. */
export const UNAUDITED_OPERATIONS: Record<string, string> = {
  'preview-email-template': 'It stores nothing.',
  'upload-media': 'Uploading the same file again changes nothing; a new file has an entry.',
  'refresh-payment-integration': 'An unchanged account needs no entry.',
  'create-email-claims': 'Nothing changes if every claim is refused; each claim that is made has an entry.',
  'choose-member-locale': 'Choosing the same language again changes nothing.',
  'lock-items': 'Nothing changes if every item is locked already.',
}

/** Operations that a repeated request doesn't run again: the entry of the first request must exist. */
const REPEATABLE: Record<string, string> = {
  'create-payment-integration': 'payment_integration.created',
  'refund-purchase-intent': 'purchase_intent.refund_ordered',
}

/** How many entries there are. Where a test cuts the connections to the database, this asks again. */
async function countEntries(where: Prisma.AuditEntryWhereInput): Promise<number> {
  const { count } = await until('Counting audit entries', () =>
    systemClient()
      .auditEntry.count({ where })
      .then((count) => ({ count }))
      .catch((error: unknown) => {
        if (isDatabaseDown(error)) return null
        throw error
      }),
  )
  return count
}

/** Throws if a successful write has no audit entry. `call` checks every response with this. */
export async function expectAuditEntry(endpoint: Endpoint, response: Response): Promise<void> {
  const isWrite = endpoint.method !== 'GET' && endpoint.auth === 'api_key' && !(endpoint.id in UNAUDITED_OPERATIONS)
  if (!isWrite || !response.ok || response.headers.has('idempotent-replayed')) return
  const requestId = response.headers.get('request-id')!
  const action = REPEATABLE[endpoint.id]
  const where = action ? { action, subjectId: ((await response.clone().json()) as { id: string }).id } : { requestId }
  if ((await countEntries(where)) === 0)
    throw new Error(
      `${endpoint.method} ${endpoint.path} (${endpoint.id}) changed something without an entry in the audit log.`,
    )
}
