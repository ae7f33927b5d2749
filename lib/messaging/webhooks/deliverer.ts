import type { SystemContext } from '../../platform/auth/context.ts'
import { type DueWork, openDueWork } from '../../platform/jobs/due-work.ts'
import { deliver } from './deliver.ts'
import { leaseDeliveries } from './lease-deliveries.ts'

/** Concurrent posts in one process. */
const MAX_CONCURRENT_POSTS = 16

/** Posts deliveries that are due. */
export const openDeliverer = (worker: () => SystemContext): DueWork =>
  openDueWork({
    max: MAX_CONCURRENT_POSTS,
    lease: (room) => leaseDeliveries(worker(), room),
    ownerOf: ({ webhookId }) => webhookId,
    work: (due) => deliver(worker(), due),
    failure: 'The outcome of a webhook delivery could not be recorded; it will be posted again.',
  })
