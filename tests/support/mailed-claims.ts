import { afterEach, beforeAll, beforeEach } from 'vitest'
import { resetClock } from '../../lib/core/clock.ts'
import { callerOf } from './call.ts'
import { installFakeChain, type SentClaim } from './claims.ts'
import { startMailbox, type Mailbox } from './mailbox.ts'
import { makeOrganization, type TestOrganization } from './organization.ts'

export let mailbox: Mailbox
export let organization: TestOrganization
export let admin: ReturnType<typeof callerOf>
export const anyone = callerOf()

/** An organization of the file's own, and the mailbox that its claims go to. */
export function setUpMailedClaims(): void {
  beforeAll(async () => {
    mailbox = await startMailbox()
    installFakeChain()
    organization = await makeOrganization()
    admin = callerOf(organization.key)
  })
  beforeEach(resetClock)
  afterEach(resetClock)
}

/** The path of a claim's link, or of one of its operations, such as `/redeem`. */
export const at = ({ token }: Pick<SentClaim, 'token'>, verb = '') => `/public/v1/email-claims/${token}${verb}`
