import { z } from 'zod'
import { defineJob, type Job } from './job.ts'

/** Sends one outbox message. Three days of tries; the message keeps its Message-ID through all of them. */
export const sendMail = defineJob({
  name: 'send-mail',
  payload: z.object({ message_id: z.uuid() }),
  retries: 100,
  firstDelaySeconds: 2,
  maxDelaySeconds: 3600,
})

/** Fetches an item's image once, re-encodes it and keeps our copy. */
export const storeItemImage = defineJob({
  name: 'keep-image',
  payload: z.object({ organization_id: z.uuid(), item_id: z.uuid(), source: z.string() }),
  retries: 6,
  firstDelaySeconds: 5,
  maxDelaySeconds: 3600,
})

/** Delivers a purchase that was paid, or winds one up that can't be delivered. */
export const continuePurchase = defineJob({
  name: 'settle-purchase',
  payload: z.object({ intent_id: z.uuid() }),
  retries: 50,
  firstDelaySeconds: 1,
  maxDelaySeconds: 300,
})

/** Sends a payment's money back. Whatever goes wrong at the provider waits on the payment itself; the reconciler takes it up. */
export const refundPayment = defineJob({
  name: 'refund-payment',
  payload: z.object({ payment_id: z.uuid() }),
  retries: 10,
  firstDelaySeconds: 2,
  maxDelaySeconds: 600,
})

/** Looks into something a card provider told us. */
export const processCardEvent = defineJob({
  name: 'process-card-event',
  payload: z.object({ event_id: z.string() }),
  retries: 10,
  firstDelaySeconds: 1,
  maxDelaySeconds: 600,
})

/** Pins an uploaded file, where a pinning service is set up. */
export const pinMedia = defineJob({
  name: 'pin-media',
  payload: z.object({ organization_id: z.uuid(), media_id: z.uuid() }),
  retries: 12,
  firstDelaySeconds: 5,
  maxDelaySeconds: 3600,
})

/** Every job there is. The worker runs exactly these. */
export const JOBS: readonly Job[] = [
  sendMail,
  storeItemImage,
  continuePurchase,
  refundPayment,
  processCardEvent,
  pinMedia,
]
