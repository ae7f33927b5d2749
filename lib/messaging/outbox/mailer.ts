import { crashPoint } from '../../core/crash.ts'
import { log } from '../../core/log.ts'
import { KeyMissing } from '../../core/server-keys.ts'
import { isUnwritable } from '../../db/errors.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { type DueWork, openDueWork } from '../../platform/jobs/due-work.ts'
import { type DueMail, leaseMails, postponeMail, renewLease } from './lease-mails.ts'
import { mailLacksKey } from './missing-keys.ts'
import { sendOutboxMail } from './send-mail.ts'

/** Mails that one process sends at once. Urgent ones have room of their own, so that they wait for no others. */
const MAX_URGENT = 16
const MAX_OTHERS = 48

const RENEWAL_MS = 5_000

/** Sends mails of the outbox that are due: urgent ones, or the others. */
export const openMailer = (worker: () => SystemContext, { urgent }: { urgent: boolean }): DueWork =>
  openDueWork({
    max: urgent ? MAX_URGENT : MAX_OTHERS,
    lease: (room) => leaseMails(worker(), { ...room, urgent }),
    ownerOf: ({ owner }) => owner,
    work: (due) => sendLeased(worker, due),
    failure: 'A mail could not be postponed; it is tried again when its lease has ended.',
  })

async function sendLeased(worker: () => SystemContext, { id, requestId }: DueMail): Promise<void> {
  crashPoint('mail_leased')
  const renewal = setInterval(() => {
    renewLease(worker(), id).catch((error: unknown) =>
      log.warn({ error, id, requestId }, 'A mail’s lease was not renewed.'),
    )
  }, RENEWAL_MS)
  try {
    await sendOutboxMail(worker(), id)
  } catch (error) {
    // It can't be postponed either: it waits until its lease has ended.
    if (isUnwritable(error)) throw error
    log.warn({ error, id, requestId }, 'A mail could not be sent; it is tried again later.')
    clearInterval(renewal)
    if (error instanceof KeyMissing) await mailLacksKey(worker(), id, error)
    await postponeMail(worker(), id)
  } finally {
    clearInterval(renewal)
  }
}
