import { authenticate } from '@/lib/platform/auth/authenticate'
import type { Context } from '@/lib/platform/auth/context'
import { pageRequestId } from '@/lib/platform/auth/page-request-id'
import { env } from '@/lib/core/env'

/** Whoever looks at a page, without a key or a secret. */
export const anyone = async (): Promise<Context> =>
  authenticate('anonymous', new Request(env.ORIGIN), {}, { requestId: await pageRequestId(), clientAddress: '' })
