import { beforeAll, expect, test } from 'vitest'
import { DAY, HOUR, moveClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { createCampaign } from '../../lib/messaging/campaigns/create-campaign.ts'
import { updateCampaign } from '../../lib/messaging/campaigns/update-campaign.ts'
import { wipeOldMail } from '../../lib/messaging/outbox/send-mail.ts'
import { leaseMails } from '../../lib/messaging/outbox/lease-mails.ts'
import { resendClaim } from '../../lib/giving/resend-claim.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
})

const inDays = (days: number) => secondsFrom(mine.ctx.now(), days * DAY)
const make = async (sendAt: Date | null) => (await createCampaign(mine.ctx, { name: newId(), send_at: sendAt })).id
async function give(campaignId: string) {
  const { itemId } = await makeItem(mine)
  return createClaim(mine.ctx, { email: `${newId()}@example.com`, item_id: itemId, campaign_id: campaignId })
}
const mailsOf = (claimId: string) => mine.ctx.db.outboxMessage.findMany({ where: { claimId }, orderBy: { id: 'asc' } })
const dueAt = async (claimId: string) => (await mailsOf(claimId)).map(({ nextAt }) => nextAt?.getTime())
async function leaves(claimId: string): Promise<boolean> {
  const [mail] = await mailsOf(claimId)
  const due = await leaseMails(systemContext('test'), { urgent: false, max: 1000, busy: new Map() })
  return due.some(({ id }) => id === mail!.id)
}

test('a campaign’s gifts wait for its day, are not given up meanwhile, and leave then', async () => {
  const day = inDays(5)
  const { id } = await give(await make(day))
  expect(await dueAt(id)).toEqual([day.getTime()])
  moveClock(4 * DAY * 1000)
  await wipeOldMail(systemContext('test'))
  expect(await leaves(id)).toBe(false)
  moveClock(DAY * 1000)
  expect(await leaves(id)).toBe(true)
})

test('another day moves the gifts that wait, and none sends them at once; other campaigns’ stay', async () => {
  const campaign = await make(inDays(5))
  const [{ id }, other] = [await give(campaign), await give(await make(inDays(5)))]
  const later = inDays(9)
  expect((await updateCampaign(mine.ctx, campaign, { send_at: later })).send_at).toEqual(later)
  expect(await dueAt(id)).toEqual([later.getTime()])
  await updateCampaign(mine.ctx, campaign, { reminder_days: 1 })
  expect(await dueAt(id)).toEqual([later.getTime()])
  await updateCampaign(mine.ctx, campaign, { send_at: null })
  expect(await leaves(id)).toBe(true)
  expect(await leaves(other.id)).toBe(false)
})

test('a day that is past, and a link that somebody sends again, don’t wait', async () => {
  const past = await give(await make(secondsFrom(mine.ctx.now(), -HOUR)))
  expect(await leaves(past.id)).toBe(true)
  const { id } = await give(await make(inDays(5)))
  await resendClaim(mine.ctx, id, {})
  expect((await dueAt(id)).at(-1)).toBeLessThanOrEqual(mine.ctx.now().getTime())
})
