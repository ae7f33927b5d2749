import fs from 'node:fs/promises'
import path from 'node:path'
import { oncePerProcess } from '../../core/once-per-process.ts'
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

/** Whom the files that this process has read are for, since a search by recipient reads all of an inbox. */
const recipientsOf = oncePerProcess('recipients of the inbox', () => new Map<string, readonly string[]>())

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
    const file = path.join(dir, name)
    const isFor = () => !recipient || (recipientsOf.get(file)?.includes(recipient) ?? true)
    if (!isFor()) continue
    const mail = await readMail(file)
    if (mail) recipientsOf.set(file, mail.to.toLowerCase().split(', '))
    if (mail && isFor()) mails.push(mail)
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
