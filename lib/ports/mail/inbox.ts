import fs from 'node:fs/promises'
import path from 'node:path'
import { writeWhole } from '../write-whole.ts'

/** A mail of the sandbox's inbox: one JSON file each, so that several processes can read it. */
export type InboxMail = {
  id: string
  /** The recipient's plain address; several are joined by a comma. */
  to: string
  from: string
  reply_to: string | null
  subject: string
  text: string
  html: string
  /** By names in lower case. */
  headers: Record<string, string>
  sent_at: string
}

/** Stores a mail. File names sort by time. */
export async function storeInboxMail(dir: string, mail: InboxMail): Promise<void> {
  await fs.mkdir(dir, { recursive: true })
  const file = path.join(dir, `${mail.sent_at.replace(/\D/g, '').slice(0, 17)}-${mail.id}.json`)
  await writeWhole(file, JSON.stringify(mail))
}

/** The newest mails first, at most `max`; with `to`, those of one recipient. */
export async function listInboxMail(
  dir: string,
  filter: { to?: string | undefined } = {},
  max = 200,
): Promise<InboxMail[]> {
  const names = (await fs.readdir(dir).catch(() => []))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
  const recipient = filter.to?.trim().toLowerCase()
  const mails: InboxMail[] = []
  for (const name of names) {
    if (mails.length === max) break
    const mail = await readMail(path.join(dir, name))
    if (mail && (!recipient || mail.to.toLowerCase().split(', ').includes(recipient))) mails.push(mail)
  }
  return mails
}

/** One mail, or null. */
export async function findInboxMail(dir: string, id: string): Promise<InboxMail | null> {
  const name = (await fs.readdir(dir).catch(() => [])).find((entry) => entry.endsWith(`-${id}.json`))
  return name ? readMail(path.join(dir, name)) : null
}

async function readMail(file: string): Promise<InboxMail | null> {
  const content = await fs.readFile(file, 'utf8').catch(() => null)
  return content === null ? null : (JSON.parse(content) as InboxMail)
}
