/**
 * A mail provider that ignores tags in the part before the @. `dots`: it ignores dots too. `domain`: the domain that
 * the others stand for.
 */
type Provider = { domains: readonly string[]; dots: boolean; domain?: string }

/**
 * Mail providers that deliver `name+tag@` to the mailbox `name@`, and of these, those that ignore dots as well.
 * - Gmail: https://support.google.com/mail/answer/7436150 (dots), and tags and the two domains:
 *   https://gmail.googleblog.com/2008/03/2-hidden-ways-to-get-more-from-your.html
 * - Outlook.com and iCloud: https://en.wikipedia.org/wiki/Email_address#Sub-addressing
 * - Fastmail: https://www.fastmail.help/hc/en-us/articles/360060591053
 * - Proton: https://proton.me/support/addresses-and-aliases
 */
const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], dots: true, domain: 'gmail.com' },
  { domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'], dots: false },
  { domains: ['icloud.com', 'me.com', 'mac.com'], dots: false },
  { domains: ['fastmail.com', 'fastmail.fm'], dots: false },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], dots: false },
]

const BY_DOMAIN = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider])))

/**
 * The mailbox behind an email address, by which limits count buyers: one person has any number of addresses at these
 * providers. For limits only. Mail goes to the address as it was typed, and allow lists name addresses.
 */
export function mailboxOf(email: string): string {
  const lower = email.toLowerCase()
  const at = lower.lastIndexOf('@')
  const domain = lower.slice(at + 1)
  const provider = BY_DOMAIN.get(domain)
  if (!provider) return lower
  const [name = ''] = lower.slice(0, at).split('+')
  const folded = provider.dots ? name.replaceAll('.', '') : name
  return folded === '' ? lower : `${folded}@${provider.domain ?? domain}`
}
