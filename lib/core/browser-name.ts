import Bowser from 'bowser'

/** A browser and its system in words, by the user agent that it sends: Firefox on Linux. */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown browser'
  const { browser, os } = Bowser.parse(userAgent)
  const known = browser.name || 'Unknown browser'
  return os.name ? `${known} on ${os.name}` : known
}
