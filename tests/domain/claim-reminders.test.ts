import { beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { remindClaims } from '../../lib/giving/remind-claims.ts'
import { revokeClaim } from '../../lib/giving/revoke-claim.ts'
import { DAY, HOUR, moveClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { installFakeChain, makeRandomAddress, sendClaim } from '../support/claims.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { columnsOf, makeTerms } from '../support/voucher-terms.ts'

let mine: TestOrganization
let mailbox: Mailbox

beforeAll(async () => {
  installFakeChain()
  mailbox = await startMailbox()
  mine = await makeOrganization({ name: 'Museum' })
})

const inDays = (days: number) => secondsFrom(mine.ctx.now(), days * DAY)
const remind = () => remindClaims(systemContext('test'))
async function mailsOf({ email }: { email: string }) {
  await mailbox.deliver(email)
  return mailbox.mailsTo(email).map(({ subject }) => subject)
}
const inCampaign = async (claimId: string, reminderDays: number) => {
  const campaign = await mine.ctx.db.campaign.create({
    data: { id: newId(), organizationId: mine.id, name: newId(), reminderDays },
  })
  await mine.ctx.db.emailClaim.update({ where: { id: claimId }, data: { campaignId: campaign.id } })
  return campaign.id
}

describe('reminders', () => {
  test('are sent once, three days before the end, with the same link, however many workers run', async () => {
    const claim = await sendClaim(mine, { expiration: inDays(10) })
    await remind()
    expect(await mailsOf(claim)).toEqual(['Museum sent you “Moonflower”'])
    moveClock(7 * DAY * 1000 + 1000)
    expect((await Promise.all([remind(), remind(), remind()])).reduce((sum, count) => sum + count)).toBe(1)
    await remind()
    expect(await mailsOf(claim)).toEqual([
      'Museum sent you “Moonflower”',
      expect.stringMatching(/^“Moonflower” waits for you until \d+ \w+ \d{4}$/),
    ])
    const reminder = mailbox.mailsTo(claim.email)[1]!
    expect(reminder.text).toContain(`/claim/${claim.token}`)
    const row = await mine.ctx.db.emailClaim.findFirstOrThrow({ where: { id: claim.id } })
    expect(row.remindedAt).not.toBeNull()
    expect(await mine.ctx.db.auditEntry.count({ where: { action: 'email_claim.reminded', subjectId: claim.id } })).toBe(
      1,
    )
  })

  test('follow the campaign’s number of days, and 0 means none', async () => {
    const [early, never] = [
      await sendClaim(mine, { expiration: inDays(20) }),
      await sendClaim(mine, { expiration: inDays(20) }),
    ]
    const campaignId = await inCampaign(early.id, 14)
    await inCampaign(never.id, 0)
    for (const claim of [early, never]) expect(await mailsOf(claim)).toHaveLength(1)
    moveClock(7 * DAY * 1000)
    await remind()
    expect(await mailsOf(early)).toHaveLength(2)
    const mail = await mine.ctx.db.outboxMessage.findFirstOrThrow({
      where: { claimId: early.id, templateType: 'CLAIM_REMINDER' },
    })
    expect(mail.campaignId).toBe(campaignId)
    moveClock(12.9 * DAY * 1000)
    await remind()
    expect(await mailsOf(never)).toHaveLength(1)
  })

  test('are not sent for short, redeemed, locked, revoked, expired, endless, vouchered or suppressed claims', async () => {
    const expiration = inDays(5)
    const short = await sendClaim(mine, { expiration: inDays(2.9) })
    const [redeemed, locked, revoked, endless, suppressed, vouchered, expired] = await Promise.all(
      Array.from({ length: 7 }, () => sendClaim(mine, { expiration })),
    )
    const change = (claim: { id: string } | undefined, data: object) =>
      mine.ctx.db.emailClaim.update({ where: { id: claim!.id }, data })
    await change(redeemed, { state: 'REDEEMED', redeemedAt: mine.ctx.now() })
    await change(locked, { state: 'LOCKED', openedAt: mine.ctx.now() })
    await change(endless, { expiresAt: null })
    await revokeClaim(mine.ctx, revoked!.id)
    await mine.ctx.db.suppression.create({
      data: { id: newId(), organizationId: mine.id, email: suppressed!.email, reason: 'BOUNCE' },
    })
    await change(expired, { expiresAt: inDays(3.1) })
    await mine.ctx.db.voucher.create({
      data: {
        id: newId(),
        organizationId: mine.id,
        collectionId: vouchered!.collectionId,
        itemId: vouchered!.itemId,
        claimId: vouchered!.id,
        networkId: 31337,
        contract: newId(),
        signature: '0x',
        ...columnsOf(makeTerms({ minter: makeRandomAddress() })),
      },
    })
    moveClock(2.5 * DAY * 1000)
    await remind()
    moveClock(1.4 * DAY * 1000 + HOUR * 1000)
    await remind()
    for (const claim of [short, redeemed, locked, revoked, endless, vouchered])
      expect(
        (await mailsOf(claim!)).filter((subject) => subject?.includes('waits for you')),
        claim!.email,
      ).toEqual([])
    expect(
      await mine.ctx.db.outboxMessage.count({ where: { claimId: suppressed!.id, templateType: 'CLAIM_REMINDER' } }),
    ).toBe(0)
  })

  test('that are still in the outbox are discarded when the claim ends', async () => {
    const claim = await sendClaim(mine, { expiration: inDays(10) })
    moveClock(8 * DAY * 1000)
    await remind()
    await revokeClaim(mine.ctx, claim.id)
    const mail = await mine.ctx.db.outboxMessage.findFirstOrThrow({
      where: { claimId: claim.id, templateType: 'CLAIM_REMINDER' },
    })
    expect([mail.state, mail.variables]).toEqual(['DISCARDED', null])
  })
})
