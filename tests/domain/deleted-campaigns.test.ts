import { beforeAll, expect, test } from 'vitest'
import { DAY, moveClock, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { createCampaign } from '../../lib/messaging/campaigns/create-campaign.ts'
import { deleteCampaign } from '../../lib/messaging/campaigns/delete-campaign.ts'
import { finishDeletions } from '../../lib/messaging/deletions/finish-deletions.ts'
import { leaseMails } from '../../lib/messaging/outbox/lease-mails.ts'
import { saveTemplate } from '../../lib/messaging/templates/save-template.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { renderPage } from '../support/render-page.ts'
import { makeSession } from '../support/sessions.ts'

// After renderPage has put its own in place of what Next gives a page.
const { default: page } = await import('../../app/dashboard/campaigns/[campaignId]/page.tsx')

let mine: TestOrganization
let mailbox: Mailbox
beforeAll(async () => {
  resetClock()
  installFakeChain()
  mailbox = await startMailbox()
  mine = await makeOrganization()
})

const make = (days: number | null) =>
  createCampaign(mine.ctx, {
    name: newId(),
    email_from: 'The Spring Team',
    send_at: days === null ? null : secondsFrom(mine.ctx.now(), days * DAY),
  })

async function give(campaignId: string) {
  const { itemId } = await makeItem(mine)
  return createClaim(mine.ctx, { email: `${newId()}@example.com`, item_id: itemId, campaign_id: campaignId })
}

async function pageOf(campaignId: string): Promise<string> {
  const { userId } = await mine.ctx.db.member.findFirstOrThrow({ where: { id: mine.memberId } })
  const session = await makeSession(userId)
  return renderPage({ layouts: [], page }, { session, organizationId: mine.id, params: { campaignId } })
}

test('the question before a campaign is deleted says what becomes of mails that wait', async () => {
  const [waiting, past, undated] = [await make(3), await make(-1), await make(null)]
  for (const { id } of [waiting, waiting, past, undated]) await give(id)
  expect(await pageOf(waiting.id)).toContain(
    'The mails of 2 gifts still wait: they leave at the time that was set, with The Spring Team as their sender',
  )
  for (const { id } of [past, undated]) {
    const shown = await pageOf(id)
    expect(shown).toContain('Its listings and claims stay')
    expect(shown).not.toContain('still wait')
  }
})

test('mails that wait leave on the day of their deleted campaign, from its sender and in the organization’s words', async () => {
  const words = { text: '{{claim_url}}', format: 'HTML' as const, body: '<p>{{claim_url}}</p>' }
  const { id } = await make(3)
  await saveTemplate(mine.ctx, 'REDEEM_NFT', { campaign_id: id }, { ...words, subject: 'Of the campaign' })
  await saveTemplate(mine.ctx, 'REDEEM_NFT', {}, { ...words, subject: 'Of the organization' })
  const { email } = await give(id)
  await deleteCampaign(mine.ctx, id)
  await finishDeletions(systemContext('test'))

  const due = async () => {
    const leased = await leaseMails(systemContext('test'), { urgent: false, max: 1000, busy: new Map() })
    const mails = await mine.ctx.db.outboxMessage.findMany({ where: { id: { in: leased.map((mail) => mail.id) } } })
    return mails.some(({ toEmail }) => toEmail === email)
  }
  moveClock((3 * DAY - 60) * 1000)
  expect(await due()).toBe(false)
  moveClock(60_000)
  expect(await due()).toBe(true)
  await mailbox.deliver(email)
  const [mail] = mailbox.mailsTo(email)
  expect([mail!.subject, mail!.from?.name]).toEqual(['Of the organization', 'The Spring Team'])
})
