import { AsyncLocalStorage } from 'node:async_hooks'
import { oncePerProcess } from '../../core/once-per-process.ts'

/** Facts that become known of a request while it is answered. */
export type OpenRequest = { organizationId: string | null }

/** Empty unless access lines are on. Pages are answered by another copy of this module. */
export const openRequests = oncePerProcess('open requests', () => new AsyncLocalStorage<OpenRequest>())

/** Whose rows the request in work reads, for its access line. */
export function noteOrganization(organizationId: string): void {
  const request = openRequests.getStore()
  if (request && organizationId) request.organizationId = organizationId
}
