import type { Instrumentation } from 'next'
import { log } from '@/lib/core/log'
import { REQUEST_ID_HEADER } from '@/lib/platform/http/request-id'

/** Names the request of a page, or of an action of one, that failed. Next's own line with the same digest says why. */
export const onRequestError: Instrumentation.onRequestError = (error, { method, path, headers }) => {
  const { digest } = error as { digest?: string }
  log.error({ requestId: headers[REQUEST_ID_HEADER], method, url: path, digest }, 'A page failed.')
}
