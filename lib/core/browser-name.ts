import Bowser from 'bowser'

/** A browser and its system by the user agent that it sends; null for what isn't known. */
export function browserOf(userAgent: string | null): { browser: string | null; system: string | null } {
  const { browser, os } = userAgent ? Bowser.parse(userAgent) : { browser: {}, os: {} }
  return { browser: browser.name || null, system: os.name || null }
}
