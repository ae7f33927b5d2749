import fs from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'

/** The facts that the launcher writes about the running stack. */
export type Stack = {
  origin: string
  public_base: string
  admin_base: string
  rpc_url: string
  chain_id: number
  /** As the owner of the tables, and as web and worker. */
  database_url: string
  runtime_database_url: string
  inbox_url: string
  organization_id: string
  api_key: string
  admin_email: string
  sign_in_url: string
  demo: {
    collection_id: string
    item_ids: string[]
    claim_url: string
    claim_email: string
    listings: Record<string, string | null>
  }
  pids: { launcher: number; web: number; worker: number; postgres: number; chain: number }
}

export const stackIn = (dataDir: string): Stack =>
  JSON.parse(fs.readFileSync(path.join(dataDir, 'up.json'), 'utf8')) as Stack

/** The stack that these tests run against. */
export const stack = (): Stack => stackIn(process.env.E2E_DATA_DIR ?? '.test/e2e')

/** How a test waits for what comes by the chain. All tests are one client, whose reads are counted. */
export const BY_CHAIN = { timeout: 60_000, intervals: [100, 250, 500] }

export type InboxMail = {
  id: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  sent_at: string
}

/**
 * The newest mail to an address with such a subject, sent after a moment and with such a text if they are given; waits
 * for it.
 */
export async function mailTo(to: string, subject: RegExp, after?: Date, text?: string): Promise<InboxMail> {
  let found: InboxMail | undefined
  const look = async () => {
    const response = await fetch(`${stack().origin}/dev/mail.json?to=${encodeURIComponent(to)}`)
    const mails = (await response.json()) as InboxMail[]
    found = mails.find(
      (mail) =>
        subject.test(mail.subject) && (!after || new Date(mail.sent_at) > after) && (!text || mail.text.includes(text)),
    )
    return found?.subject ?? null
  }
  await expect.poll(look, { message: `a mail to ${to} about ${subject}`, intervals: [50, 100, 150] }).not.toBeNull()
  return found!
}
