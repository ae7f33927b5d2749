import { authenticate } from '@/lib/platform/auth/authenticate'
import type { Context } from '@/lib/platform/auth/context'
import { env } from '@/lib/core/env'

/** Whoever looks at a page, without a key or a secret. */
export const anyone = (): Promise<Context> =>
  authenticate('anonymous', new Request(env.ORIGIN), {}, { requestId: 'page', clientAddress: '' })
