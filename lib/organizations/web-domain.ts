import type { Organization } from '../../generated/prisma/client.ts'
import { DAY, HOUR, MINUTE, secondsFrom } from '../core/clock.ts'
import { withTimeout } from '../core/with-timeout.ts'
import type { Ports } from '../ports/ports.ts'
import { FetchRefused } from '../ports/storage/storage.ts'

type Row = Pick<Organization, 'webDomain' | 'webDomainFoundAt'>

/** A domain is shown for so long after its record or file was last found. */
const SHOWN_SECONDS = 2 * DAY

/** The domain that people may be shown: null once its owner stopped saying that it is this organization's. */
export const shownDomainOf = ({ webDomain, webDomainFoundAt }: Row, now: Date): string | null =>
  webDomainFoundAt !== null && now.getTime() - webDomainFoundAt.getTime() < SHOWN_SECONDS * 1000 ? webDomain : null

/** Until when a domain is shown that isn't found again. */
export const domainShownUntil = ({ webDomainFoundAt }: Row): Date | null =>
  webDomainFoundAt && secondsFrom(webDomainFoundAt, SHOWN_SECONDS)

/** Where the owner of a domain says whose it is, and in which words. Either place will do. */
export const domainProofOf = (organizationId: string, domain: string) => ({
  record_name: `_vitrine.${domain}`,
  file_url: `https://${domain}/.well-known/vitrine.txt`,
  value: `vitrine-organization=${organizationId}`,
})

const CHECK_TIMEOUT_MS = 5_000

/** The result of a check. `unknown`: not both places answered, so that nothing is known. */
type DomainCheck = 'found' | 'missing' | 'unknown'

/** Looks into both places at once, for a few seconds at most. Call it outside of transactions. */
export async function checkWebDomain(
  { dns, fetcher }: Pick<Ports, 'dns' | 'fetcher'>,
  organizationId: string,
  domain: string,
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<DomainCheck> {
  const { record_name, file_url, value } = domainProofOf(organizationId, domain)
  const says = (texts: readonly string[]) => texts.some((text) => text.trim() === value)
  const file = fetcher.fetchText(file_url).then(
    (text) => says(text.split('\n')),
    (error: unknown) => {
      if (error instanceof FetchRefused) return false
      throw error
    },
  )
  const answers = await Promise.all(
    [dns.texts(record_name).then(says), file].map((answer) => withTimeout(answer, timeoutMs, null)),
  )
  if (answers.includes(true)) return 'found'
  return answers.includes(null) ? 'unknown' : 'missing'
}

/**
 * The changes of the row by a check of the domain. A domain that was just set and isn't found is tried again soon: its
 * record may take a while to show.
 */
export const checkedDomain = (check: DomainCheck, now: Date, isNew: boolean) => ({
  webDomainCheckedAt: now,
  webDomainDueAt: secondsFrom(now, check === 'found' ? DAY : isNew ? 10 * MINUTE : check === 'unknown' ? HOUR : DAY),
  ...(check === 'found' && { webDomainFoundAt: now }),
  ...(check === 'missing' && { webDomainFoundAt: null }),
})
