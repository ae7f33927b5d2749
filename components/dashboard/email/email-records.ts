import { domainOf, readSender } from '@/lib/core/sender'

type Settings = {
  provider: 'MAIL_API' | 'CLOUD_MAIL' | 'CUSTOM_SMTP'
  config: { email_from?: string | undefined; domain?: string | undefined; host?: string | undefined }
}

export type DnsRecord = {
  purpose: 'SPF' | 'DKIM' | 'DMARC'
  type: 'TXT' | 'CNAME'
  name: string
  /** null: to be read at the provider. */
  value: string | null
  note: string
}

/** The domain of the sender's address, which receiving servers authenticate. */
export const senderDomain = ({ config }: Settings): string =>
  domainOf(readSender(config.email_from ?? '')?.address ?? '')

/** The DNS records of the sender's domain that let receiving servers authenticate its mails (SPF, DKIM, DMARC). */
export function recordsFor(settings: Settings): DnsRecord[] {
  const sender = senderDomain(settings)
  return [...PROVIDERS[settings.provider](settings, sender), dmarc(sender)]
}

const PROVIDERS = {
  MAIL_API: ({ config: { domain = '' } }) => [
    spf(domain, 'include:mailgun.org', 'Says that Mailgun may send for this domain.'),
    {
      purpose: 'DKIM',
      type: 'TXT',
      name: `…._domainkey.${domain}`,
      value: null,
      note: `Mailgun makes it. Copy name and value from Sending, Domains, ${domain}, DNS records.`,
    },
  ],
  CLOUD_MAIL: (_, sender) => [
    spf(
      sender,
      'include:amazonses.com',
      'Says that Amazon SES may send for this domain. It counts for a MAIL FROM domain of your own, set under Verified identities.',
    ),
    {
      purpose: 'DKIM',
      type: 'CNAME',
      name: `…._domainkey.${sender}`,
      value: null,
      note: `Three of them. Copy them from the SES console: Verified identities, ${sender}, Authentication.`,
    },
  ],
  CUSTOM_SMTP: ({ config: { host = '' } }, sender) => [
    spf(
      sender,
      mechanismOf(host),
      'Says that this server may send for this domain. A provider that sends from other machines tells you its own include.',
    ),
    {
      purpose: 'DKIM',
      type: 'TXT',
      name: `…._domainkey.${sender}`,
      value: null,
      note: 'Ask whoever runs the mail server for its name and value.',
    },
  ],
} satisfies Record<Settings['provider'], (settings: Settings, sender: string) => DnsRecord[]>

const spf = (name: string, mechanism: string, note: string): DnsRecord => ({
  purpose: 'SPF',
  type: 'TXT',
  name,
  value: `v=spf1 ${mechanism} ~all`,
  note,
})

const dmarc = (domain: string): DnsRecord => ({
  purpose: 'DMARC',
  type: 'TXT',
  name: `_dmarc.${domain}`,
  value: 'v=DMARC1; p=none',
  note: 'Says what to do with mail that fails both. Start with none; once your mail passes for some weeks, quarantine keeps others from using your name.',
})

const mechanismOf = (host: string): string =>
  host.includes(':') ? `ip6:${host}` : /^[\d.]+$/.test(host) ? `ip4:${host}` : `a:${host}`
