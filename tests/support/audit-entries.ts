import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { systemClient } from '../../lib/db/client.ts'

/** Writes that leave no entry in the audit log, and why. */
export const UNAUDITED_OPERATIONS: Record<string, string> = {
  'preview-email-template': 'It shows and keeps nothing.',
  'upload-media': 'The same file again changes nothing; a new one leaves its entry.',
  'refresh-payment-integration': 'An account that is as it was leaves nothing to note.',
  'lock-items': 'A collection in which nothing remains to be locked stays as it is.',
}

/** Writes that answer the same when they are asked for again: the entry of the first time is what must be there. */
const REPEATED: Record<string, string> = {
  'create-payment-integration': 'payment_integration.created',
  'refund-purchase-intent': 'purchase_intent.refund_ordered',
}

/** Whether a write that succeeded has left its entry: every test of an operation asks this. */
export async function expectAuditEntry(endpoint: Endpoint, response: Response): Promise<void> {
  const isWrite = endpoint.method !== 'GET' && endpoint.auth === 'api_key' && !(endpoint.id in UNAUDITED_OPERATIONS)
  if (!isWrite || !response.ok || response.headers.has('idempotent-replayed')) return
  const requestId = response.headers.get('request-id')!
  const action = REPEATED[endpoint.id]
  const where = action ? { action, subjectId: ((await response.clone().json()) as { id: string }).id } : { requestId }
  const count = await systemClient().auditEntry.count({ where })
  if (count === 0)
    throw new Error(
      `${endpoint.method} ${endpoint.path} (${endpoint.id}) changed something without an entry in the audit log.`,
    )
}
