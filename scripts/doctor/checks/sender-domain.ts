import { domainOf, readSender } from '../../../lib/core/sender.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'

/** Names that no DNS has (RFC 2606, RFC 6761). */
const RESERVED = /(^|\.)(localhost|test|example|invalid|example\.(com|net|org))$/

/**
 * Checks the DNS of the sender's domain: who may send for it (SPF, DKIM), and what happens to mail of others (DMARC).
 */
export const senderDomain: Check = {
  name: 'sender’s domain',
  run: async (subject) => {
    const sender = readSender(subject.settings.MAIL_FROM)
    if (!sender)
      return [wrong('MAIL_FROM', 'This is no sender.', 'Write a name and an address: Shop <hello@shop.example.com>')]
    const domain = domainOf(sender.address)
    if (RESERVED.test(domain))
      return [
        (subject.settings.VITRINE_SANDBOX
          ? ok
          : (name: string, detail: string) => wrong(name, detail, 'Set MAIL_FROM to an address of a domain of yours.'))(
          'MAIL_FROM',
          `Nobody accepts mail from ${domain}.`,
        ),
      ]
    return Promise.all([spf(subject, domain), dkim(subject, domain), dmarc(subject, domain)])
  },
}

const NONE: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

/** The TXT records of a name that begin like this, in any case. */
async function recordsOf({ resolveTxt }: Subject, name: string, begins: RegExp): Promise<string[]> {
  try {
    return (await resolveTxt(name)).filter((text) => begins.test(text.trim()))
  } catch (error) {
    if (NONE.has((error as NodeJS.ErrnoException).code)) return []
    throw error
  }
}

async function looking(subject: Subject, name: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return warning(
      name,
      `The DNS did not answer: ${subject.quote(error)}`,
      'Try again, or look the record up elsewhere.',
    )
  }
}

const spf = (subject: Subject, domain: string): Promise<Finding> =>
  looking(subject, 'SPF', async () => {
    const records = await recordsOf(subject, domain, /^v=spf1(\s|$)/i)
    if (records.length > 1)
      return wrong('SPF', `${domain} has ${records.length} SPF records, which counts as none.`, 'Join them into one.')
    const [record] = records
    if (record && /\+all\b/.test(record))
      return warning('SPF', `${domain} lets everybody send for it: ${record}`, 'End the record with ~all or -all.')
    return record
      ? ok('SPF', `${domain}: ${record}`)
      : warning(
          'SPF',
          `Not found for ${domain}.`,
          `Add a TXT record at ${domain}: "v=spf1 include:<your mail provider’s name> ~all"`,
        )
  })

const dkim = (subject: Subject, domain: string): Promise<Finding> =>
  looking(subject, 'DKIM', async () => {
    const selector = subject.dkimSelector
    if (!selector)
      return warning(
        'DKIM',
        'Not looked up: the DNS lists no keys, only the key of a name that one knows.',
        'Run npm run doctor -- --dkim-selector <selector>; your mail provider shows it, and a mail’s DKIM-Signature has it as s=.',
      )
    const name = `${selector}._domainkey.${domain}`
    const records = await recordsOf(subject, name, /(^|;\s*)(p|v)=/i)
    const key = records
      .map((record) => /(?:^|;)\s*p=\s*([^;\s]*)/i.exec(record)?.[1])
      .find((each) => each !== undefined)
    if (key) return ok('DKIM', `${name} has a key.`)
    return wrong(
      'DKIM',
      key === '' ? `The key at ${name} was revoked.` : `Not found at ${name}.`,
      'Have your mail provider sign for this domain, and add the record that it shows at that name.',
    )
  })

/** The domain's own record, else that of the domain it lies under (RFC 7489, 6.6.3). */
const dmarc = (subject: Subject, domain: string): Promise<Finding> =>
  looking(subject, 'DMARC', async () => {
    const labels = domain.split('.')
    for (let at = 0; labels.length - at >= 2; at++) {
      const name = `_dmarc.${labels.slice(at).join('.')}`
      const [record] = await recordsOf(subject, name, /^v=DMARC1\s*;/i)
      if (record) return ok('DMARC', `${name}: ${record}`)
    }
    return warning(
      'DMARC',
      `Not found for ${domain}.`,
      `Add a TXT record at _dmarc.${domain}: "v=DMARC1; p=none; rua=mailto:<an address of yours>"`,
    )
  })
