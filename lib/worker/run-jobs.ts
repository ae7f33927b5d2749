import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { systemContext } from '../platform/auth/authenticate.ts'
import { type Context, within, type SystemContext } from '../platform/auth/context.ts'
import { realNow, secondsFrom } from '../core/clock.ts'
import { crashPoint } from '../core/crash.ts'
import { log } from '../core/log.ts'
import { isUnwritable } from '../db/errors.ts'
import { logFailing } from '../db/log-failing.ts'
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
import { enqueue, openQueue } from '../platform/jobs/queue.ts'
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

/** Runs one job now. It throws where the job is to be tried again. */
export async function runJob(job: Pick<Job, 'name'>, payload: unknown): Promise<void> {
  const handler = HANDLERS[job.name]
  if (!handler) throw new Error(`There is no handler for the job ${job.name}.`)
  await handler(systemContext(requestIdOf(payload)), payload)
}

/** The request that added a job; a release before this one didn't note it. */
const requestIdOf = (payload: unknown): string => ADDED.safeParse(payload).data?.request_id ?? 'job'
const ADDED = z.object({ request_id: z.string() })

/** Several of a kind at once, so that one slow mail server doesn't delay the others. */
const CONCURRENCY = 4
/** Jobs that each of them takes together, unless each holds a file. */
const JOBS_AT_ONCE = 8

/** Runs jobs as they come, until stopped. The queue recovers by itself after the database was away. */
export async function runJobs(): Promise<{ stop(): Promise<void> }> {
  const boss = openQueue({ supervise: true })
  try {
    await boss.start()
    for (const job of JOBS) await register(boss, job)
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) }
}

async function register(boss: PgBoss, job: Job): Promise<void> {
  await boss.work(
    job.name,
    {
      pollingIntervalSeconds: 0.5,
      localConcurrency: CONCURRENCY,
      batchSize: job.holdsFile ? 1 : JOBS_AT_ONCE,
      // As long as there are enough jobs, the next ones are taken at once.
      burstWhenBatchFull: true,
      perJobResults: true,
      includeMetadata: true,
    },
    (jobs: JobWithMetadata<unknown>[]) => Promise.all(jobs.map((taken) => resultOf(job, taken))),
  )
}

const AWAY_SECONDS = 60

/**
 * Storage that is away, or a database that can't write, uses up none of a job's tries: the job is queued anew, and
 * waits. Throws any other error.
 */
async function waitFor(error: unknown, job: Job, { id, data, singletonKey }: JobWithMetadata<unknown>): Promise<void> {
  if (!(error instanceof StorageUnavailable) && !isUnwritable(error)) throw error
  logFailing(job.name, error, 'A job can’t be done at the moment; it waits.')
  const startAfter = secondsFrom(realNow(), AWAY_SECONDS)
  await enqueue(systemContext(requestIdOf(data)), job, data, { key: singletonKey ?? id, startAfter })
}

/** Each job of those taken together ends by itself: one that fails is tried again alone. */
async function resultOf(job: Job, taken: JobWithMetadata<unknown>): Promise<JobResult> {
  const { id, data } = taken
  try {
    crashPoint('job_taken')
    await runJob(job, data).catch((error: unknown) => waitFor(error, job, taken))
    crashPoint('job_done')
    return { id, status: 'completed' }
  } catch (error) {
    log.warn({ error, job: job.name, id, requestId: requestIdOf(data) }, 'A job failed; it is tried again later.')
    return { id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } }
  }
}
