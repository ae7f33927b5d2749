/** The From of a mail: `Night Gallery <drops@gallery.example>`, or the address alone (name null). */
export type Sender = { name: string | null; address: string }

const ADDRESS = /^[^\s@<>"(),:;\\]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i

/** Reads `Name <address>` or `address`; the address becomes lower case. null for anything else. */
export function readSender(text: string): Sender | null {
  const bracketed = /^([^<>]*)<([^<>]+)>$/.exec(text.trim())
  const address = (bracketed?.[2] ?? text).trim()
  if (!ADDRESS.test(address)) return null
  return { name: bracketed ? plainName(bracketed[1] ?? '') || null : null, address: address.toLowerCase() }
}

/**
 * The value of a From header. Quotes, brackets and control characters of the name are replaced, so that it can't add a
 * header.
 */
export const senderLine = (name: string | null, address: string): string =>
  name ? `"${plainName(name)}" <${address}>` : address

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

const plainName = (name: string): string => name.replace(/[\s\p{Cc}"\\<>]+/gu, ' ').trim()
