import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { resetClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { installFakeChain, type SentClaim } from './claims.ts'
import { startMailbox, type Mailbox } from './mailbox.ts'
import { makeOrganization, type TestOrganization } from './organization.ts'

// What the tests of a file share; `setUpClaims` fills it.
export let mailbox: Mailbox
export let chain: ReturnType<typeof installFakeChain>
export let organization: TestOrganization

/** Prepares a mailbox, a chain and an organization. */
export function setUpClaims(): void {
  beforeAll(async () => {
    mailbox = await startMailbox()
    chain = installFakeChain()
    organization = await makeOrganization()
  })
  beforeEach(resetClock)
  afterEach(resetClock)
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const DAY = 24 * 60 * MINUTE
export const TX_HASH = `0x${'ab'.repeat(32)}`
export const wrongPin = (pin: string) => (pin === '000000' ? '111111' : '000000')
export const heldOf = async (itemId: string) =>
  (await organization.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })).held

export const eventsOf = (claim: SentClaim, type: string) =>
  systemClient().event.count({ where: { type, data: { path: ['email_claim_id'], equals: claim.id } } })

export const mintsOf = (claim: SentClaim) =>
  systemClient().mintRequest.findMany({ where: { claimId: claim.id }, orderBy: { id: 'asc' } })

export const refusal = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It was not refused.'),
    (error: { code: string; extra: Record<string, unknown>; retryAfterSeconds?: number }) => error,
  )

export async function pinFor(claim: SentClaim): Promise<string> {
  await sendPin(claim.ctx)
  return mailbox.pinOf(claim.email)
}
