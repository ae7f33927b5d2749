import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { call, callerOf, code } from '../support/call.ts'
import { installFakeChain, makeItem, sendClaim } from '../support/claims.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let mailbox: Mailbox
let campaign: string

beforeAll(async () => {
  installFakeChain()
  mailbox = await startMailbox()
  mine = await makeOrganization({ name: 'Museum' })
  api = callerOf(mine.key)
  campaign = (await api.post('/v1/marketing-campaigns', { name: newId() })).body.id
})

const TEMPLATES = '/v1/email-templates'
const at = (type: string, campaignId?: string, more = '') =>
  `${TEMPLATES}/${type}${more}${campaignId ? `?campaign_id=${campaignId}` : ''}`
const put = (url: string, body: unknown, key = mine.key) => call('PUT', url, { key, body })
const words = (subject: string) => ({
  subject,
  text: 'Take it: {{claim_url}}',
  format: 'HTML',
  body: '<p onclick="x()">Take <a href="{{claim_url}}">{{item_title}}</a></p>',
})

describe('email templates', () => {
  test('without a saved template, the platform’s template is used and can be read', async () => {
    const { body } = await api.get(TEMPLATES)
    expect(body).toMatchObject({ cursor: null, has_more: false, total_results: 6 })
    expect(
      body.results.map(({ template_type, source, version, campaign_id }: Record<string, unknown>) => [
        template_type,
        source,
        version,
        campaign_id,
      ]),
    ).toEqual(
      ['REDEEM_NFT', 'CLAIM_PINCODE', 'CLAIMED_NFT', 'RECEIPT', 'REFUND', 'CLAIM_REMINDER'].map((type) => [
        type,
        'PLATFORM',
        null,
        null,
      ]),
    )
    const one = await api.get(at('CLAIM_PINCODE', campaign))
    expect(one.body).toMatchObject({
      template_type: 'CLAIM_PINCODE',
      campaign_id: campaign,
      source: 'PLATFORM',
      version: null,
      format: 'MJML',
      versions: [],
      updated_at: null,
    })
    expect(one.body.body).toMatch(/^<mjml[\s\S]*{{pin}}/)
    expect(
      (
        await put(at('CLAIM_PINCODE', campaign), {
          subject: one.body.subject,
          text: one.body.text,
          format: 'MJML',
          body: one.body.body,
        })
      ).status,
    ).toBe(200)
  })

  test('platform-only types and campaigns of another organization are not found', async () => {
    for (const type of ['SIGN_IN', 'MEMBER_INVITE', 'TEST', 'nope', 'redeem_nft'])
      expect(code(await api.get(at(type)))).toEqual([404, 'not_found'])
    const theirs = await makeOrganization()
    const { id } = (await callerOf(theirs.key).post('/v1/marketing-campaigns', { name: 'Theirs' })).body
    for (const other of [id, newId()]) {
      expect(code(await api.get(`${TEMPLATES}?campaign_id=${other}`))).toEqual([404, 'not_found'])
      expect(code(await api.get(at('RECEIPT', other)))).toEqual([404, 'not_found'])
      expect(code(await put(at('REDEEM_NFT', other), words('x')))).toEqual([404, 'not_found'])
      expect(code(await api.delete(at('REDEEM_NFT', other)))).toEqual([404, 'not_found'])
      expect(code(await api.post(at('REDEEM_NFT', other, '/preview')))).toEqual([404, 'not_found'])
      expect(code(await api.post(at('REDEEM_NFT', other, '/send-test')))).toEqual([404, 'not_found'])
    }
    expect(code(await api.get(`${TEMPLATES}?campaign_id=nope`))).toEqual([400, 'invalid_request'])
    expect(await theirs.ctx.db.emailTemplate.count()).toBe(0)
  })

  test('each save is a version; an earlier version can be read and saved again', async () => {
    const museum = await makeOrganization()
    const theirs = callerOf(museum.key)
    const url = at('REDEEM_NFT')
    const first = await put(url, words('One'), museum.key)
    expect(first.body).toMatchObject({
      source: 'ORGANIZATION',
      version: 1,
      subject: 'One',
      campaign_id: null,
      updated_at: expect.any(String),
    })
    expect(first.body.versions).toEqual([
      { version: 1, subject: 'One', created_at: expect.any(String), member_id: museum.memberId },
    ])
    await put(url, words('Two'), museum.key)
    const old = (await theirs.get(`${url}?version=1`)).body
    expect(old).toMatchObject({ version: 1, subject: 'One', body: words('').body })
    const again = await put(
      url,
      { subject: old.subject, text: old.text, format: old.format, body: old.body },
      museum.key,
    )
    expect(again.body).toMatchObject({ version: 3, subject: 'One' })
    expect(again.body.versions.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1])
    expect(code(await theirs.get(`${url}?version=9`))).toEqual([404, 'not_found'])
    expect(code(await theirs.get(`${url}?version=0`))).toEqual([400, 'invalid_request'])
    const audit = await museum.ctx.db.auditEntry.findMany({
      where: { action: 'email_template.saved' },
      orderBy: { id: 'asc' },
    })
    expect(audit.map(({ after }) => (after as { version: number }).version)).toEqual([1, 2, 3])
  })

  test('eight simultaneous saves make eight versions', async () => {
    const museum = await makeOrganization()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => put(at('REDEEM_NFT'), words(`Number ${n}`), museum.key)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { versions } = (await callerOf(museum.key).get(at('REDEEM_NFT'))).body
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect(new Set(versions.map(({ subject }: { subject: string }) => subject)).size).toBe(8)
  })

  test('an invalid template is refused with its field and line', async () => {
    const bad = await put(at('REDEEM_NFT', campaign), {
      ...words('Hi {{itm_title}}'),
      text: 'one\ntwo {{{claim_url}}}',
    })
    expect(code(bad)).toEqual([422, 'template_invalid'])
    expect(bad.body.errors).toEqual([
      {
        field: 'subject',
        code: 'template_invalid',
        detail: 'Line 1: There is no variable {{itm_title}}. Did you mean {{item_title}}?',
      },
      { field: 'text', code: 'template_invalid', detail: expect.stringMatching(/^Line 2: Write two braces/) },
    ])
    const field = async (change: object) => {
      const { status, body } = await put(at('REDEEM_NFT', campaign), { ...words('x'), ...change })
      return [status, body.errors[0].field]
    }
    expect(await field({ subject: 'x'.repeat(256) })).toEqual([400, 'subject'])
    expect(await field({ subject: 'a\nBcc: eve@example.com' })).toEqual([400, 'subject'])
    expect(await field({ text: 'x'.repeat(20_001) })).toEqual([400, 'text'])
    expect(await field({ body: 'x'.repeat(100_001) })).toEqual([400, 'body'])
    expect(await field({ format: 'MARKDOWN' })).toEqual([400, 'format'])
    expect(await field({ body: undefined })).toEqual([400, 'body'])
    expect(await mine.ctx.db.emailTemplate.count({ where: { templateType: 'REDEEM_NFT' } })).toBe(0)
  })

  test('a mail uses the campaign’s template, else the organization’s, else the platform’s', async () => {
    const museum = await makeOrganization({ name: 'Night & Day' })
    const theirs = callerOf(museum.key)
    const { id: campaignId } = (
      await theirs.post('/v1/marketing-campaigns', { name: 'Spring', email_from: 'The Spring People' })
    ).body
    const subjectOf = async (campaign: string | null) => {
      const { id, email } = await sendClaim(museum, {})
      await mailbox.deliver(email)
      // Sent again, because the first mail was written before the claim was in the campaign.
      if (campaign) await museum.ctx.db.emailClaim.update({ where: { id }, data: { campaignId: campaign } })
      if (campaign) await theirs.post(`/v1/email-claims/${id}/resend`)
      await mailbox.deliver(email)
      const mail = mailbox.mailsTo(email).at(-1)!
      return { subject: mail.subject, html: mail.html!, text: mail.text!, from: mail.from }
    }
    expect((await subjectOf(campaignId)).subject).toBe('Night & Day sent you “Moonflower”')
    await put(at('REDEEM_NFT'), words('{{organization_name}}: {{item_title}}'), museum.key)
    await put(at('REDEEM_NFT', campaignId), words('Spring: {{item_title}}'), museum.key)
    expect((await subjectOf(null)).subject).toBe('Night & Day: Moonflower')
    const own = await subjectOf(campaignId)
    expect(own).toMatchObject({ subject: 'Spring: Moonflower', from: { name: 'The Spring People' } })
    expect(own.html).toMatch(/<p>Take <a href="http[^"]+\/claim\/[\w-]{43}">Moonflower<\/a><\/p>/)
    expect(own.text).toMatch(/^Take it: http\S+\/claim\/[\w-]{43}\s*$/)

    expect((await theirs.get(at('REDEEM_NFT', campaignId))).body.source).toBe('CAMPAIGN')
    expect((await theirs.delete(at('REDEEM_NFT', campaignId))).status).toBe(204)
    expect(code(await theirs.delete(at('REDEEM_NFT', campaignId)))).toEqual([404, 'not_found'])
    expect((await theirs.get(at('REDEEM_NFT', campaignId))).body).toMatchObject({
      source: 'ORGANIZATION',
      versions: [],
    })
    expect((await subjectOf(campaignId)).subject).toBe('Night & Day: Moonflower')
    await theirs.delete(at('REDEEM_NFT'))
    expect((await subjectOf(campaignId)).subject).toBe('Night & Day sent you “Moonflower”')
  })

  test('the platform’s template has the organization’s logo, colour and footer', async () => {
    const museum = await makeOrganization()
    const cid = `bafkrei${'b'.repeat(52)}`
    await museum.ctx.db.mediaFile.create({
      data: { id: newId(), organizationId: museum.id, cid, width: 1, height: 1, bytes: 1 },
    })
    await callerOf(museum.key).patch(`/v1/organizations/${museum.id}`, {
      brand: { logo_url: `/media/${cid}-thumb.webp`, colour: '#ffd400', footer: 'Harbour Street 1 <b>\n20457 Hamburg' },
    })
    const { email } = await sendClaim(museum, {})
    await mailbox.deliver(email)
    const { html, text } = mailbox.mailsTo(email)[0]!
    expect(html).toContain(`/media/mail/${cid}-logo.png`)
    expect(html).toMatch(/background:#ffd400;color:#14211f/)
    expect(html).toMatch(/Harbour Street 1 &(#60|lt);b&(#62|gt);<br \/>20457 Hamburg/)
    expect(text).toContain('Harbour Street 1 <b>\n20457 Hamburg')
    expect((await callerOf(museum.key).get(at('REDEEM_NFT'))).body.body).toContain('#ffd400')
  })

  test('variables are listed with their meaning and a sample', async () => {
    const { variables } = (await api.get(at('CLAIM_PINCODE', undefined, '/variables'))).body
    expect(variables).toContainEqual({
      name: 'pin',
      meaning: expect.any(String),
      sample: '482913',
      required: true,
      optional: false,
      url: false,
    })
    expect(variables).toContainEqual(expect.objectContaining({ name: 'organization_name', sample: 'Museum' }))
  })

  test('a preview fills a draft with samples, uses the stored template for the rest, and lists errors', async () => {
    const preview = async (body: object) => (await api.post(at('REDEEM_NFT', campaign, '/preview'), body)).body
    const stored = await preview({})
    expect(stored).toMatchObject({
      subject: 'Museum sent you “Moonflower”',
      text: expect.stringContaining('/claim/sample'),
      html: expect.stringContaining('<html'),
      errors: [],
    })
    expect(await preview({ subject: 'For {{item_title}}' })).toMatchObject({ subject: 'For Moonflower', errors: [] })
    const wrong = await preview({ ...words('{{nope}}'), body: 'x\n{{#quantity}}' })
    expect(wrong).toEqual({
      subject: null,
      text: expect.any(String),
      html: null,
      errors: [
        { field: 'subject', line: 1, detail: expect.stringContaining('{{nope}}') },
        { field: 'body', line: 2, detail: expect.stringContaining('never closed') },
      ],
    })
    const bare = await preview({ format: 'HTML', body: '<p>Nothing to take</p>' })
    expect(bare).toMatchObject({
      html: expect.stringContaining('Nothing to take'),
      errors: [{ field: 'body', line: null }],
    })
    expect(stored.html).toContain('prefers-color-scheme')
    for (const dark of [true, false]) expect((await preview({ dark })).html).not.toContain('prefers-color-scheme')
    expect((await preview({ dark: true })).html).toContain('@media (min-width: 0)')
    const { key } = await makeKey(mine, { permissions: ['email_templates:read'] })
    expect((await callerOf(key).post(at('REDEEM_NFT', undefined, '/preview'))).status).toBe(403)
  })

  test('a preview as one recipient has their item, quantity and last day, but neither their link nor their PIN', async () => {
    const { itemId } = await makeItem(mine, { tokenType: 'ERC1155', title: 'Heron', maxSupply: 9n })
    const claim = (
      await api.post('/v1/email-claims', {
        email: `${newId()}@example.com`,
        item_id: itemId,
        quantity: 2,
        expiration: '2030-05-17T12:00:00Z',
      })
    ).body
    const draft = {
      subject: '{{item_title}}{{#quantity}} × {{quantity}}{{/quantity}}',
      text: '{{expires_on}} {{claim_url}}',
      claim_id: claim.id,
    }
    const shown = (await api.post(at('REDEEM_NFT', undefined, '/preview'), draft)).body
    expect(shown).toMatchObject({ subject: 'Heron × 2', errors: [] })
    expect(shown.text).toMatch(/^17 May 2030 http\S+\/claim\/sample\s*$/)
    expect(JSON.stringify(shown)).not.toContain(claim.claim_url.split('/').at(-1))
    const withPin = { subject: '{{pin}}', claim_id: claim.id }
    expect((await api.post(at('CLAIM_PINCODE', undefined, '/preview'), withPin)).body.subject).toBe('482913')
    const { subject } = (await api.post(at('REDEEM_NFT', undefined, '/preview'), { ...draft, claim_id: null })).body
    expect(subject).toBe('Moonflower × 3')
    const other = callerOf((await makeOrganization()).key)
    for (const [caller, claim_id] of [
      [other, claim.id],
      [api, newId()],
    ] as const)
      expect(code(await caller.post(at('REDEEM_NFT', undefined, '/preview'), { ...draft, claim_id }))).toEqual([
        404,
        'not_found',
      ])
    const { key } = await makeKey(mine, { permissions: ['email_templates:read', 'email_templates:write'] })
    expect(code(await callerOf(key).post(at('REDEEM_NFT', undefined, '/preview'), draft))).toEqual([403, 'forbidden'])
  })

  test('a template of blocks is stored as such, compiled by the server, and follows the brand', async () => {
    const museum = await makeOrganization({ name: 'Night & Day' })
    const theirs = callerOf(museum.key)
    const builtIn = (await theirs.get(at('REDEEM_NFT'))).body
    expect(builtIn.blocks.map(({ type }: { type: string }) => type)).toEqual([
      'BRAND',
      'PICTURE',
      'HEADING',
      'TEXT',
      'TEXT',
      'BUTTON',
      'TEXT',
      'TEXT',
      'TEXT',
      'FOOTER',
    ])
    const blocks = [
      { type: 'BRAND' },
      { type: 'HEADING', text: 'Hello <b> & “{{item_title}}”' },
      { type: 'TEXT', text: 'One line\nand another.', small: true },
      { type: 'BUTTON', label: 'Take it', url: '{{claim_url}}' },
      { type: 'PICTURE', image_url: `/media/bafkrei${'c'.repeat(52)}-original.webp`, alt: 'A door' },
      { type: 'FOOTER' },
    ]
    const saved = await put(at('REDEEM_NFT'), { subject: 'For you', blocks }, museum.key)
    expect([saved.status, saved.body.blocks, saved.body.format]).toEqual([200, blocks, 'MJML'])
    expect(saved.body.body).toContain('<mj-button')
    await theirs.patch(`/v1/organizations/${museum.id}`, { brand: { colour: '#ffd400', footer: 'Harbour Street 1' } })
    const { email } = await sendClaim(museum, {})
    expect(await mailbox.deliver(email)).toEqual([])
    const { subject, html, text } = mailbox.mailsTo(email)[0]!
    expect(subject).toBe('For you')
    expect(html).toContain('Hello &#60;b&#62; &#38; “Moonflower”')
    expect(html).toContain('One line<br />and another.')
    expect(html).toMatch(/background:#ffd400/)
    expect(html).toContain(`/media/mail/bafkrei${'c'.repeat(52)}.jpg`)
    expect(html).toContain('Harbour Street 1')
    expect(text).toMatch(/Take it:\nhttp\S+\/claim\/[\w-]{43}\n\n--\nNight & Day\nHarbour Street 1/)
    expect((await theirs.get(at('REDEEM_NFT'))).body.body).toContain('#ffd400')

    // Written as code again, it is code.
    expect((await put(at('REDEEM_NFT'), words('Plain'), museum.key)).body).toMatchObject({
      blocks: null,
      format: 'HTML',
    })
    expect((await theirs.get(`${at('REDEEM_NFT')}?version=1`)).body.blocks).toEqual(blocks)
  })

  test('blocks without the required link, with an unknown variable or beside code are refused, and the preview says so before', async () => {
    const button = { type: 'BUTTON', label: 'Take it', url: '{{claim_url}}' }
    const preview = async (...blocks: object[]) =>
      (await api.post(at('REDEEM_NFT', undefined, '/preview'), { subject: 'x', blocks })).body
    const missing = await preview({ type: 'TEXT', text: 'Nothing to take' })
    expect(missing).toMatchObject({ html: expect.stringContaining('Nothing to take') })
    expect(missing.errors).toEqual([
      { field: 'body', line: null, detail: expect.stringContaining('No block leads to the item yet') },
    ])
    expect((await preview(button)).errors).toEqual([])
    expect(await preview(button, { type: 'TEXT', text: '{{#quantity}}{{nope}}' })).toMatchObject({
      html: null,
      text: null,
      errors: [{ field: 'body', line: 2, detail: expect.stringMatching(/^Block 2 \(text\): .*\{\{nope\}\}/) }],
    })
    for (const url of ['javascript:alert(1)', 'http://a.example', 'https://a.example/{{pin}}', '{{item_title}}'])
      expect((await preview({ ...button, url })).errors[0], url).toMatchObject({ line: 1 })
    const save = (body: object) => put(at('REDEEM_NFT'), body)
    expect(code(await save({ subject: 'x', blocks: [{ type: 'TEXT', text: 'No link' }] }))).toEqual([
      422,
      'template_invalid',
    ])
    expect(code(await save({ ...words('x'), blocks: [button] }))).toEqual([400, 'invalid_request'])
    const bare = await save({ subject: 'x', text: 'y' })
    expect([bare.status, bare.body.errors.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['format', 'body'],
    ])
    for (const wrong of [[], [{ type: 'HTML', text: 'x' }], [{ type: 'PICTURE', image_url: 'x"', alt: '' }]])
      expect(code(await save({ subject: 'x', blocks: wrong }))).toEqual([400, 'invalid_request'])
  })

  test('send-test sends the filled draft to the requesting member', async () => {
    const sent = await api.post(at('REDEEM_NFT', campaign, '/send-test'), words('Look, {{item_title}}'))
    expect([sent.status, sent.body]).toEqual([202, { email: mine.email }])
    expect(await mailbox.deliver(mine.email)).toEqual([])
    expect(mailbox.mailsTo(mine.email)).toMatchObject([
      {
        subject: '[Test] Look, Moonflower',
        html: expect.stringContaining('/claim/sample'),
        from: { name: 'Museum via Vitrine' },
      },
    ])
    expect(code(await api.post(at('REDEEM_NFT', campaign, '/send-test'), { text: 'no link' }))).toEqual([
      422,
      'template_invalid',
    ])
    expect(mailbox.mailsTo(mine.email)).toHaveLength(1)
  })
})
