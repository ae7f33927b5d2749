import { env } from '@/lib/core/env'

/** The folder of the sandbox's inbox; null with real mail, and outside a sandbox. */
export const inboxFolder = (): string | null => (env.VITRINE_SANDBOX && env.DEV_MAIL_DIR ? env.DEV_MAIL_DIR : null)
