import { beforeAll, describe, expect, test, vi } from 'vitest'
import { GET, POST } from '../../app/unsubscribe/[token]/route.ts'
import { DAY, moveClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { countCampaign } from '../../lib/data/analytics/count-campaign.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { remindClaims } from '../../lib/giving/remind-claims.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { optOutTokenOf } from '../../lib/messaging/opt-outs/opt-out-token.ts'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { renderPage } from '../support/render-page.ts'

// After renderPage has put its own in place of what Next gives a page.
const { default: MailsPage } = await import('../../app/mails/[token]/page.tsx')

let mine: TestOrganization
let mailbox: Mailbox
let campaign: string

beforeAll(async () => {
  installFakeChain()
  vi.spyOn(console, 'error').mockReturnValue() // React complains of each component of the browser.
  mailbox = await startMailbox()
  mine = await makeOrganization({ name: 'Museum' })
  campaign = await makeCampaign(mine)
})

async function makeCampaign({ ctx, id: organizationId }: TestOrganization) {
  const row = await ctx.db.campaign.create({ data: { id: newId(), organizationId, name: newId() } })
  return row.id
}

/** A gift, whose first mail is in the outbox. */
async function give(email: string, { campaignId = campaign as string | null, from = mine, days = 30 } = {}) {
  const { itemId } = await makeItem(from)
  const order = { email, item_id: itemId, expiration: secondsFrom(from.ctx.now(), days * DAY) }
  const claim = await createClaim(from.ctx, campaignId === null ? order : { ...order, campaign_id: campaignId })
  return { ...claim, token: claim.claim_url!.split('/').at(-1)! }
}

const somebody = () => `${newId()}@example.com`
async function mailsOf(email: string) {
  await mailbox.deliver(email)
  return mailbox.mailsTo(email)
}
const header = (mail: { headers: { key: string; value: string }[] }, name: string) =>
  mail.headers.find(({ key }) => key === name)?.value
async function linkIn(email: string): Promise<string> {
  const mail = (await mailsOf(email)).at(-1)!
  return /^<(.+)>$/.exec(header(mail, 'list-unsubscribe')!)![1]!
}
const asked = (link: string) => ({ params: Promise.resolve({ token: new URL(link).pathname.split('/').at(-1)! }) })
const post = (link: string, body: string) =>
  POST(
    new Request(link, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }),
    asked(link),
  )
const oneClick = (link: string) => post(link, 'List-Unsubscribe=One-Click')
const audited = async (email: string) => {
  const entries = await mine.ctx.db.auditEntry.findMany({
    where: { subjectType: 'mail_opt_out' },
    orderBy: { id: 'asc' },
  })
  return entries
    .filter(({ before, after }) => JSON.stringify({ before, after }).includes(email))
    .map(({ action }) => action)
}
/** What the page of a link shows. */
const shown = (link: string) =>
  renderPage(
    { layouts: [], page: MailsPage },
    { ...nobody, params: { token: new URL(link).pathname.split('/').at(-1)! } },
  )
const nobody = { session: '', organizationId: '' }
const unsubscribed = async () => (await countCampaign(mine.ctx, campaign, {})).unsubscribed

describe('unsubscribing', () => {
  test('the page says who mails and to whom, shows what was chosen, and changes nothing when it is opened', async () => {
    const email = somebody()
    await give(email)
    const link = await linkIn(email)
    expect(await shown(link)).toContain(`Museum may send gifts and reminders of them to ${email}.`)
    expect(await mine.ctx.db.mailOptOut.count({ where: { email } })).toBe(0)
    const chosen = await post(link, 'from=page&undo=0')
    expect([chosen.status, chosen.headers.get('location')]).toEqual([
      303,
      new URL(link).pathname.replace('/unsubscribe/', '/mails/'),
    ])
    const after = await shown(link)
    expect(after).toContain(`Museum sends no more gifts and reminders to ${email}.`)
    expect(after).toContain('Get these mails again')
    expect(after).toContain('What you pay for or ask for still reaches you')
    await post(link, 'from=page&undo=1')
    expect(await shown(link)).toContain(`Museum may send gifts`)
  })

  test('the page of a forged link is not found, and shows no address', async () => {
    const email = somebody()
    const { id } = await give(email)
    const link = await linkIn(email)
    const forged = `${link.slice(0, link.lastIndexOf('/'))}/${optOutTokenOf({ claimId: newId(), email })}`
    await expect(shown(forged)).rejects.toMatchObject({ digest: 'NEXT_HTTP_ERROR_FALLBACK;404' })
    await mine.ctx.db.emailClaim.update({ where: { id }, data: { email: somebody() } })
    await expect(shown(link)).rejects.toMatchObject({ digest: 'NEXT_HTTP_ERROR_FALLBACK;404' })
  })

  test('the audit log says once who unsubscribed, and that it was undone', async () => {
    const email = somebody()
    await give(email)
    const link = await linkIn(email)
    await post(link, 'undo=1')
    expect(await audited(email)).toEqual([])
    await Promise.all([oneClick(link), oneClick(link)])
    await oneClick(link)
    expect(await audited(email)).toEqual(['mail_opt_out.created'])
    await post(link, 'undo=1')
    await post(link, 'undo=1')
    expect(await audited(email)).toEqual(['mail_opt_out.created', 'mail_opt_out.deleted'])
  })

  test('a campaign’s gift can be refused with one click, without a cookie; its page undoes it, and the figures count it', async () => {
    const email = somebody()
    const before = await unsubscribed()
    await give(email)
    const link = await linkIn(email)
    const [mail] = mailbox.mailsTo(email)
    expect(header(mail!, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(mail!.text).toContain(`Unsubscribe: ${link}`)
    expect(mail!.html).toContain(`href="${link}"`)
    const opened = await GET(new Request(link), asked(link))
    expect([opened.status, opened.headers.get('location')]).toEqual([
      303,
      new URL(link).pathname.replace('/unsubscribe/', '/mails/'),
    ])
    expect(await unsubscribed()).toBe(before)
    expect((await oneClick(link)).status).toBe(200)
    expect((await oneClick(link)).status).toBe(200)
    expect(await unsubscribed()).toBe(before + 1n)
    const second = await give(email)
    expect(await mailsOf(email)).toHaveLength(1)
    const row = await mine.ctx.db.outboxMessage.findFirstOrThrow({ where: { claimId: second.id } })
    expect([row.state, row.variables]).toEqual(['DISCARDED', null])
    expect((await post(link, 'from=page&undo=1')).status).toBe(303)
    expect(await unsubscribed()).toBe(before)
    await give(email)
    expect(await mailsOf(email)).toHaveLength(2)
  })

  test('what was asked for still arrives, and so do gifts of other organizations and gifts without a campaign', async () => {
    const email = somebody()
    const { token } = await give(email)
    await oneClick(await linkIn(email))
    await sendPin((await claimContext(token, { requestId: 'test', clientAddress: '' })) as never)
    const pin = (await mailsOf(email)).at(-1)!
    expect(pin.subject).toMatch(/is your PIN/)
    expect(header(pin, 'list-unsubscribe')).toBeUndefined()
    await give(email, { campaignId: null })
    const single = (await mailsOf(email)).at(-1)!
    expect(single.subject).toBe('Museum sent you “Moonflower”')
    expect(header(single, 'list-unsubscribe')).toBeUndefined()
    const other = await makeOrganization({ name: 'Other' })
    await give(email, { from: other, campaignId: await makeCampaign(other) })
    expect((await mailsOf(email)).at(-1)!.subject).toBe('Other sent you “Moonflower”')
    expect(await mine.ctx.db.suppression.count({ where: { email } })).toBe(0)
  })

  test('reminders of gifts can be refused too', async () => {
    const [keeps, refuses] = [somebody(), somebody()]
    for (const email of [keeps, refuses]) await give(email, { campaignId: null, days: 10 })
    const theirs = await give(refuses)
    await oneClick(await linkIn(refuses))
    for (const email of [keeps, refuses]) await mailsOf(email)
    expect(theirs.email).toBe(refuses)
    moveClock(8 * DAY * 1000)
    await remindClaims(systemContext('test'))
    expect(header((await mailsOf(keeps)).at(-1)!, 'list-unsubscribe')).toMatch(/^<http/)
    expect((await mailsOf(refuses)).map(({ subject }) => subject)).not.toContainEqual(
      expect.stringContaining('waits for you'),
    )
  })

  test('a link unsubscribes only the mailbox it was mailed to, and a forged one nobody', async () => {
    const email = somebody()
    const { id } = await give(email)
    const link = await linkIn(email)
    await mine.ctx.db.emailClaim.update({ where: { id }, data: { email: somebody() } })
    expect((await oneClick(link)).status).toBe(404)
    const origin = link.slice(0, link.lastIndexOf('/'))
    const forged = [
      optOutTokenOf({ claimId: newId(), email }),
      `${link.split('/').at(-1)!.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
      'x',
      'A'.repeat(64),
    ]
    for (const token of forged) expect((await oneClick(`${origin}/${token}`)).status, token).toBe(404)
    expect(await mine.ctx.db.mailOptOut.count({ where: { email } })).toBe(0)
  })
})
