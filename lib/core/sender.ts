/** Who a mail comes from, as people write it: `Night Gallery <drops@gallery.example>`, or the address alone. */
export type Sender = { name: string | null; address: string }

const ADDRESS = /^[^\s@<>"(),:;\\]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i

/** null when there is no address in it, or more than one thing. */
export function readSender(text: string): Sender | null {
  const bracketed = /^([^<>]*)<([^<>]+)>$/.exec(text.trim())
  const address = (bracketed?.[2] ?? text).trim()
  if (!ADDRESS.test(address)) return null
  return { name: bracketed ? plainName(bracketed[1] ?? '') || null : null, address: address.toLowerCase() }
}

/** The line of a header. A name can't break out of it. */
export const senderLine = (name: string | null, address: string): string =>
  name ? `"${plainName(name)}" <${address}>` : address

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

const plainName = (name: string): string => name.replace(/[\s\p{Cc}"\\<>]+/gu, ' ').trim()
