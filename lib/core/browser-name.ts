import Bowser from 'bowser'

/** A browser and its system by the user agent that it sends; null for what isn't known. */
export function browserOf(userAgent: string | null): { browser: string | null; system: string | null } {
  const known = userAgent ? Bowser.parse(userAgent) : null
  return { browser: known?.browser.name || null, system: known?.os.name || null }
}
