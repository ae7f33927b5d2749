import { env } from '@/lib/core/env'

/** The folder of the sandbox's inbox; null with real mail, and in production outside a sandbox. */
export const inboxFolder = (): string | null =>
  env.DEV_MAIL_DIR && (env.NODE_ENV !== 'production' || env.VITRINE_SANDBOX) ? env.DEV_MAIL_DIR : null
