import type { Endpoint } from '../../lib/api/endpoint.ts'
import { systemClient } from '../../lib/db/client.ts'

/** Writes that leave no entry in the audit log, and why. */
export const TRACELESS: Record<string, string> = {
  'preview-email-template': 'It shows and keeps nothing.',
  'upload-media': 'The same file again changes nothing; a new one leaves its entry.',
  'create-payment-integration': 'Asked again while onboarding waits, it answers the same account.',
  'refund-purchase-intent': 'Asked again while the money is on its way back, it answers the same purchase.',
  'revoke-email-claim': 'Revoking twice changes nothing.',
  'refresh-payment-integration': 'An account that is as it was leaves nothing to note.',
  'lock-items': 'A collection in which nothing remains to be locked stays as it is.',
}

/** Whether a write that succeeded has left its entry: every test of an operation asks this. */
export async function expectTrace(endpoint: Endpoint, response: Response): Promise<void> {
  const isWrite = endpoint.method !== 'GET' && endpoint.auth === 'api_key' && !(endpoint.id in TRACELESS)
  if (!isWrite || !response.ok || response.headers.has('idempotent-replayed')) return
  const requestId = response.headers.get('request-id')!
  const count = await systemClient().auditEntry.count({ where: { requestId } })
  if (count === 0) throw new Error(`${endpoint.method} ${endpoint.path} (${endpoint.id}) changed something without an entry in the audit log.`)
}
