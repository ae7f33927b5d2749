import type { getWebhook } from '@/lib/messaging/webhooks/get-webhook'
import type { Opened } from '@/lib/platform/api/form-action'
import { asJson } from '@/lib/platform/http/changed-fields'

/** The values of a webhook that its form shows. The order of its events means nothing. */
export const openedWebhook = ({ name, url, events }: Awaited<ReturnType<typeof getWebhook>>): Opened =>
  asJson({ name, url, events: events.toSorted() })
