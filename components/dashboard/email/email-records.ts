import type { Messages } from 'next-intl'
import { domainOf, readSender } from '@/lib/core/sender'

type Settings = {
  provider: 'MAIL_API' | 'CLOUD_MAIL' | 'CUSTOM_SMTP'
  config: { email_from?: string | undefined; domain?: string | undefined; host?: string | undefined }
}

type Note = keyof Messages['dashboard']['settings']['mail']['dns']['notes']

export type DnsRecord = {
  purpose: 'SPF' | 'DKIM' | 'DMARC'
  type: 'TXT' | 'CNAME'
  name: string
  /** null: to be read at the provider. */
  value: string | null
  /** The key of what is said of it, and the domain named there. */
  note: Note
  domain: string
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
    spf(domain, 'include:mailgun.org', 'mailgunSpf'),
    {
      purpose: 'DKIM',
      type: 'TXT',
      name: `…._domainkey.${domain}`,
      value: null,
      note: 'mailgunDkim',
      domain,
    },
  ],
  CLOUD_MAIL: (_, sender) => [
    spf(sender, 'include:amazonses.com', 'sesSpf'),
    {
      purpose: 'DKIM',
      type: 'CNAME',
      name: `…._domainkey.${sender}`,
      value: null,
      note: 'sesDkim',
      domain: sender,
    },
  ],
  CUSTOM_SMTP: ({ config: { host = '' } }, sender) => [
    spf(sender, mechanismOf(host), 'smtpSpf'),
    {
      purpose: 'DKIM',
      type: 'TXT',
      name: `…._domainkey.${sender}`,
      value: null,
      note: 'smtpDkim',
      domain: sender,
    },
  ],
} satisfies Record<Settings['provider'], (settings: Settings, sender: string) => DnsRecord[]>

const spf = (name: string, mechanism: string, note: Note): DnsRecord => ({
  purpose: 'SPF',
  type: 'TXT',
  name,
  value: `v=spf1 ${mechanism} ~all`,
  note,
  domain: name,
})

const dmarc = (domain: string): DnsRecord => ({
  purpose: 'DMARC',
  type: 'TXT',
  name: `_dmarc.${domain}`,
  value: 'v=DMARC1; p=none',
  note: 'dmarc',
  domain,
})

const mechanismOf = (host: string): string =>
  host.includes(':') ? `ip6:${host}` : /^[\d.]+$/.test(host) ? `ip4:${host}` : `a:${host}`
