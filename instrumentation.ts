import type { Instrumentation } from 'next'

/** Next's own server is never used (lib/platform/http/front-of-next.ts). A build registers nothing. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.NEXT_PHASE !== 'phase-production-build') {
    const { exitWithoutFront } = await import('@/lib/platform/http/front-of-next')
    exitWithoutFront()
  }
}

/** Names the request of a page, or of an action of one, that failed. Next's own line with the same digest says why. */
export const onRequestError: Instrumentation.onRequestError = async (error, { method, path, headers }) => {
  // Next builds this file for its other runtime, too.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { log } = await import('@/lib/core/log')
    const { digest } = error as { digest?: string }
    log.error({ requestId: headers['request-id'], method, url: path, digest }, 'A page failed.')
  }
}
