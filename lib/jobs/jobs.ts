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
export const keepImage = defineJob({
  name: 'keep-image',
  payload: z.object({ organization_id: z.uuid(), item_id: z.uuid(), source: z.string() }),
  retries: 6,
  firstDelaySeconds: 5,
  maxDelaySeconds: 3600,
})

/** Every job there is. The worker runs exactly these. */
export const JOBS: readonly Job[] = [sendMail, keepImage]
