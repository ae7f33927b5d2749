import { setTimeout as wait } from 'node:timers/promises'
import { systemContext } from '../platform/auth/authenticate.ts'
import { type Context, within, type SystemContext } from '../platform/auth/context.ts'
import { crashPoint } from '../core/crash.ts'
import { log } from '../core/log.ts'
import { isUnwritable } from '../db/errors.ts'
import { logFailing } from '../db/log-failing.ts'
import { type DueWork, openDueWork } from '../platform/jobs/due-work.ts'
import type { Job } from '../platform/jobs/job.ts'
import {
  JOBS,
  storeItemImage as storeItemImageJob,
  pinMedia as pinMediaJob,
  sendMail,
  tellReport as tellReportJob,
  mailLinks as mailLinksJob,
  mailSignIn as mailSignInJob,
  processCardEvent as processCardEventJob,
  refundPayment as refundPaymentJob,
  continuePurchase as continuePurchaseJob,
} from '../platform/jobs/jobs.ts'
import { endJob, failJob, leaseJobs, type LeasedJob, postponeJob, renewLease } from '../platform/jobs/lease-jobs.ts'
import { StorageUnavailable } from '../ports/storage/storage.ts'
import { storeItemImage } from '../records/media/store-item-image.ts'
import { pinMedia } from '../records/media/pin-media.ts'
import { continuePurchase } from '../selling/purchases/continue-purchase.ts'
import { handOverMail } from '../messaging/outbox/hand-over-mail.ts'
import { processCardEvent } from '../selling/payments/process-card-event.ts'
import { sendSignIn } from '../members/send-sign-in.ts'
import { tellReport } from '../data/abuse/tell-report.ts'
import { mailLinks } from '../selling/mailbox/mail-links.ts'
import { refundPayment } from '../selling/payments/refund-payment.ts'

/** Runs `work` for the organization of a purchase or payment; nothing where the row is gone. */
async function withinOwner(
  worker: SystemContext,
  row: { organizationId: string } | null,
  work: (ctx: Context) => Promise<void>,
): Promise<void> {
  if (row) await within(worker, row.organizationId, work)
}

/** The handler of each job. What it writes belongs to the request that added the job. */
const HANDLERS: Record<string, (worker: SystemContext, payload: unknown) => Promise<void>> = {
  [continuePurchaseJob.name]: async (worker, payload) => {
    const { intent_id: id } = continuePurchaseJob.payload.parse(payload)
    const row = await worker.db.purchaseIntent.findUnique({ where: { id }, select: { organizationId: true } })
    await withinOwner(worker, row, (ctx) => continuePurchase(ctx, id))
  },
  [sendMail.name]: (worker, payload) => handOverMail(worker, sendMail.payload.parse(payload).message_id),
  [mailSignInJob.name]: (worker, payload) => {
    const { email, return_to: returnTo, locale, client } = mailSignInJob.payload.parse(payload)
    return sendSignIn(worker, { email, returnTo, locale, client })
  },
  [mailLinksJob.name]: (worker, payload) => mailLinks(worker, mailLinksJob.payload.parse(payload)),
  [refundPaymentJob.name]: async (worker, payload) => {
    const { payment_id: id } = refundPaymentJob.payload.parse(payload)
    const row = await worker.db.payment.findUnique({ where: { id }, select: { organizationId: true } })
    await withinOwner(worker, row, (ctx) => refundPayment(ctx, id))
  },
  [processCardEventJob.name]: (worker, payload) =>
    processCardEvent(worker, processCardEventJob.payload.parse(payload).event_id),
  [tellReportJob.name]: (worker, payload) => tellReport(worker, tellReportJob.payload.parse(payload).report_id),
  [storeItemImageJob.name]: (worker, payload) => {
    const { organization_id, ...input } = storeItemImageJob.payload.parse(payload)
    return within(worker, organization_id, (ctx) => storeItemImage(ctx, input))
  },
  [pinMediaJob.name]: (worker, payload) => {
    const { organization_id, ...input } = pinMediaJob.payload.parse(payload)
    return within(worker, organization_id, (ctx) => pinMedia(ctx, input))
  },
}

/** Does one job now. It throws where the job is to be tried again. */
export async function runJob(job: Pick<Job, 'name'>, payload: unknown, requestId = 'job'): Promise<void> {
  const handler = HANDLERS[job.name]
  if (!handler) throw new Error(`There is no handler for the job ${job.name}.`)
  await handler(systemContext(requestId), payload)
}

/** Jobs of one kind that a process does at once. Those that hold a file are few, for their memory. */
const MOST_OF_A_KIND = 32
const MOST_WITH_FILES = 4

const KINDS = JOBS.map((job) => ({ ...job, most: job.holdsFile ? MOST_WITH_FILES : MOST_OF_A_KIND }))

const RENEWAL_MS = 3_000
/** Work that hangs for so long has failed, and gives its place to others. */
const LONGEST_MS = 600_000

const GIVEN_UP = 'A job failed at its last try. It is kept for a week and not tried again.'

/** Does jobs that are due. */
export const openJobs = (worker: () => SystemContext): DueWork =>
  openDueWork({
    max: KINDS.reduce((sum, { most }) => sum + most, 0),
    lease: async (room) => {
      const taken = await leaseJobs(worker(), KINDS, room)
      for (const { id, name: job, requestId } of taken.filter(({ failed }) => failed))
        log.error({ job, id, requestId }, GIVEN_UP)
      return taken.filter(({ failed }) => !failed)
    },
    ownerOf: ({ name }) => name,
    work: (leased) => doLeased(worker, leased),
    failure: 'The end of a job could not be recorded; it is done again when its lease has ended.',
  })

async function doLeased(worker: () => SystemContext, leased: LeasedJob): Promise<void> {
  const { id, name, payload, requestId } = leased
  const job = KINDS.find((kind) => kind.name === name)!
  const about = { job: name, id, requestId }
  const renewal = setInterval(() => {
    renewLease(worker(), leased).catch((error: unknown) =>
      log.warn({ error, ...about }, 'A job’s lease was not renewed.'),
    )
  }, RENEWAL_MS)
  try {
    crashPoint('job_taken')
    await inTime(runJob(job, payload, requestId ?? undefined))
    crashPoint('job_done')
    await endJob(worker(), leased)
  } catch (error) {
    if (error instanceof StorageUnavailable || isUnwritable(error)) {
      logFailing(name, error, 'A job can’t be done at the moment; it waits.')
      return await postponeJob(worker(), leased)
    }
    const isLast = await failJob(worker(), leased, job, error instanceof Error ? error.message : String(error))
    if (isLast) log.error({ error, ...about }, GIVEN_UP)
    else log.warn({ error, ...about }, 'A job failed; it is tried again later.')
  } finally {
    clearInterval(renewal)
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  const ended = new AbortController()
  const late = wait(LONGEST_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error('It took longer than ten minutes.')
  })
  await Promise.race([work, late]).finally(() => ended.abort())
}
