/**
 * An email address as the HTML standard reads it, with a domain of at least two labels and not more than RFC 5321
 * allows before the @.
 */
export const EMAIL_ADDRESS =
  /^(?=[^@]{1,64}@)[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The most characters of an address (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254

/** Marks that show nothing: around what was copied out of mails, tables and pages. */
const INVISIBLE = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu

/**
 * An address as it is stored: lower case, its domain in the form of DNS (punycode, UTS #46), without blanks and
 * invisible marks around it. What isn't an address comes back as it can't be one either: `EMAIL_ADDRESS` refuses it.
 */
export function asStoredEmail(text: string): string {
  const written = text.replace(INVISIBLE, '')
  const at = written.lastIndexOf('@')
  return `${written.slice(0, at + 1)}${asciiDomain(written.slice(at + 1))}`.toLowerCase()
}

/** Whether a text is an email address, as a person may write it. */
export function isEmailAddress(text: string): boolean {
  const stored = asStoredEmail(text)
  return stored.length <= MAX_EMAIL_LENGTH && EMAIL_ADDRESS.test(stored)
}

/**
 * The URL parser of browsers and Node does what UTS #46 asks. It is given letters, digits, hyphens and dots alone, so
 * it reads nothing else than a host.
 */
function asciiDomain(domain: string): string {
  if (/^[\x00-\x7f]*$/.test(domain) || /[^\P{ASCII}a-zA-Z0-9.-]/u.test(domain)) return domain
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}
