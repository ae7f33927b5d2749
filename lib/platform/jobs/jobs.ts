import { z } from 'zod'
import { defineJob, type Job } from './job.ts'

/** Has a mail sent that release 0.1.0 wrote. Later ones are due from the moment they are written. */
export const sendMail = defineJob({
  name: 'send-mail',
  payload: z.object({ message_id: z.uuid() }),
  retries: 100,
  firstDelaySeconds: 2,
  maxDelaySeconds: 3600,
})

/**
 * Mails a sign-in link to an address, if it is a member's or anybody may sign up. `locale` and `client`: the language
 * and the network of whoever asked.
 */
export const mailSignIn = defineJob({
  name: 'mail-sign-in',
  payload: z.object({
    email: z.string(),
    return_to: z.string().optional(),
    locale: z.string().optional(),
    client: z.string().optional(),
  }),
  retries: 20,
  firstDelaySeconds: 1,
  maxDelaySeconds: 300,
})

/** Mails the links of a mailbox's open claims and purchases to it. */
export const mailLinks = defineJob({
  name: 'mail-links',
  payload: z.object({ email: z.string(), locale: z.string().nullish() }),
  retries: 20,
  firstDelaySeconds: 1,
  maxDelaySeconds: 300,
})

/** Fetches an item's image once, re-encodes it and stores our copy. */
export const storeItemImage = defineJob({
  name: 'keep-image',
  payload: z.object({ organization_id: z.uuid(), item_id: z.uuid(), source: z.string() }),
  retries: 6,
  firstDelaySeconds: 5,
  maxDelaySeconds: 3600,
  holdsFile: true,
})

/** Delivers a paid purchase, or stops its deliveries and refunds it when it can't be delivered. */
export const continuePurchase = defineJob({
  name: 'settle-purchase',
  payload: z.object({ intent_id: z.uuid() }),
  retries: 50,
  firstDelaySeconds: 1,
  maxDelaySeconds: 300,
})

/**
 * Requests a payment's refund at the provider. A failure there is recorded on the payment and retried by the
 * reconciliation.
 */
export const refundPayment = defineJob({
  name: 'refund-payment',
  payload: z.object({ payment_id: z.uuid() }),
  retries: 10,
  firstDelaySeconds: 2,
  maxDelaySeconds: 600,
})

/** Handles one event of a card provider. */
export const processCardEvent = defineJob({
  name: 'process-card-event',
  payload: z.object({ event_id: z.string() }),
  retries: 10,
  firstDelaySeconds: 1,
  maxDelaySeconds: 600,
})

/** Pins an uploaded file on IPFS, when a pinning service is configured. */
export const pinMedia = defineJob({
  name: 'pin-media',
  payload: z.object({ organization_id: z.uuid(), media_id: z.uuid() }),
  retries: 12,
  firstDelaySeconds: 5,
  maxDelaySeconds: 3600,
  holdsFile: true,
})

/** Raises the operator's alarm about a report of abuse. */
export const tellReport = defineJob({
  name: 'tell-report',
  payload: z.object({ report_id: z.uuid() }),
  retries: 50,
  firstDelaySeconds: 1,
  maxDelaySeconds: 300,
})

/** All jobs. The worker runs exactly these. */
export const JOBS: readonly Job[] = [
  sendMail,
  mailSignIn,
  mailLinks,
  storeItemImage,
  continuePurchase,
  refundPayment,
  processCardEvent,
  pinMedia,
  tellReport,
]
