import fs from 'node:fs/promises'
import path from 'node:path'

/** A mail as the embedded inbox keeps and shows it: one JSON file each, so that several processes can look in. */
export type InboxMail = {
  id: string
  /** The recipient's plain address; several are joined by a comma. */
  to: string
  from: string
  reply_to: string | null
  subject: string
  text: string
  html: string
  /** Names in lower case. */
  headers: Record<string, string>
  sent_at: string
}

/** Keeps a mail. The name sorts by time, and a reader never sees half a file. */
export async function storeInboxMail(dir: string, mail: InboxMail): Promise<void> {
  await fs.mkdir(dir, { recursive: true })
  const file = path.join(dir, `${mail.sent_at.replace(/\D/g, '').slice(0, 17)}-${mail.id}.json`)
  await fs.writeFile(`${file}.draft`, JSON.stringify(mail))
  await fs.rename(`${file}.draft`, file)
}

/** The newest mails first, of one recipient if asked. */
export async function listInboxMail(
  dir: string,
  filter: { to?: string | undefined } = {},
  most = 200,
): Promise<InboxMail[]> {
  const names = (await fs.readdir(dir).catch(() => []))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
  const wanted = filter.to?.trim().toLowerCase()
  const mails: InboxMail[] = []
  for (const name of names) {
    if (mails.length === most) break
    const mail = await readMail(path.join(dir, name))
    if (mail && (!wanted || mail.to.toLowerCase().split(', ').includes(wanted))) mails.push(mail)
  }
  return mails
}

/** One mail, or null when it isn't there. */
export async function findInboxMail(dir: string, id: string): Promise<InboxMail | null> {
  const name = (await fs.readdir(dir).catch(() => [])).find((entry) => entry.endsWith(`-${id}.json`))
  return name ? readMail(path.join(dir, name)) : null
}

async function readMail(file: string): Promise<InboxMail | null> {
  const content = await fs.readFile(file, 'utf8').catch(() => null)
  return content === null ? null : (JSON.parse(content) as InboxMail)
}
