import { optOutContext } from '@/lib/platform/auth/mail-contexts'
import { claimIdIn, isOptOutToken } from '@/lib/messaging/opt-outs/opt-out-token'

/** Whose link it is. Throws not found for a link that we didn't make. */
export const readerOf = (token: string, caller: { requestId: string; clientAddress: string }) =>
  optOutContext(claimIdIn(token), (claim) => isOptOutToken(token, claim), caller)
