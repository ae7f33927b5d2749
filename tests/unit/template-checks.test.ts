import { describe, expect, test } from 'vitest'
import { EDITABLE_TYPES, type TemplateDraft } from '../../lib/platform/api/email-templates.ts'
import { checkTemplate } from '../../lib/messaging/templates/check-template.ts'
import { cleanCss, cleanHtml } from '../../lib/messaging/templates/clean-html.ts'
import { fillHtml, fillSubject, fillText } from '../../lib/messaging/templates/fill.ts'
import { platformTemplate } from '../../lib/messaging/templates/platform-template.ts'
import { renderMail } from '../../lib/messaging/templates/render-mail.ts'
import { templateOf } from '../../lib/messaging/templates/templates.ts'
import { samplesOf, VARIABLES } from '../../lib/messaging/templates/variables.ts'

const OWNER = { organizationId: 'test', actor: { type: 'system' } } as const
const MJML = (inner: string) =>
  `<mjml>\n<mj-body>\n<mj-section><mj-column>\n${inner}\n</mj-column></mj-section>\n</mj-body>\n</mjml>`
const LINK = '<a href="{{claim_url}}">{{claim_url}}</a>'
const draft = (given: Partial<TemplateDraft>): TemplateDraft => ({
  subject: 'For you',
  text: 'Here: {{claim_url}}',
  format: 'HTML',
  body: `<p>${LINK}</p>`,
  ...given,
})
const problems = async (given: Partial<TemplateDraft>) =>
  (await checkTemplate(OWNER, 'REDEEM_NFT', draft(given))).problems.map(({ field, detail }) => `${field}: ${detail}`)
const clean = (html: string) => cleanHtml(html, { source: html, urls: ['claim_url', 'image_url'] })

describe('variables and sections of a template', () => {
  test.each(EDITABLE_TYPES)(
    '%s: the platform’s template is valid as a custom one and renders the same text',
    async (type) => {
      const platform = platformTemplate(type)
      const { html, problems } = await checkTemplate(OWNER, type, platform)
      expect(problems).toEqual([])
      const values = samplesOf(type, { origin: 'https://vitrine.example', organizationName: 'Museum & Sons' })
      const theirs = await renderMail(type, { ...values, sender_name: null } as never)
      const words = (page: string) =>
        page
          .replace(/<style[\s\S]*?<\/style>|<!--[\s\S]*?-->|<[^>]+>/g, ' ')
          .replace(/&#39;/g, "'")
          .replace(/\s+/g, ' ')
          .trim()
      expect(words(fillHtml(html, values))).toBe(words(theirs.html))
      expect(fillText(platform.text, values)).toBe(theirs.text)
      expect(html).toContain('<!--[if mso | IE]><table')
    },
  )

  test.each(EDITABLE_TYPES)('%s: every variable that the platform’s template uses is listed', (type) => {
    const { subject, preheader, heading, lead, notes, button, code } = templateOf(type)
    const used = [subject, preheader, heading, ...lead, ...notes, button?.url ?? '', code ?? '']
      .join(' ')
      .matchAll(/\{\{[#/^]?(\w+)\}\}/g)
    const names = VARIABLES[type].map(({ name }) => name)
    for (const [, name] of used) expect(names).toContain(name)
  })

  test('an unknown variable is reported with its line and the closest known one', async () => {
    expect(await problems({ text: 'Hello,\n\nit is {{item_titel}} {{claim_url}}' })).toEqual([
      'text: Line 3: There is no variable {{item_titel}}. Did you mean {{item_title}}?',
    ])
    expect(await problems({ subject: 'Hi {{zebra}}' })).toEqual(['subject: Line 1: There is no variable {{zebra}}.'])
    expect(await problems({ text: '{{claim_url}} {{constructor}} {{.}} {{a.b}}' })).toHaveLength(3)
  })

  test.each([
    ['{{{item_title}}}', /two braces/],
    ['{{ {item_title} }}', /two braces/],
    ['{{&item_title}}', /Leave out the &/],
    ['{{ & item_title}}', /Leave out the &/],
    ['{{> other}}', /can’t be put into another/],
    ['{{=<% %>=}}', /braces can’t be changed/],
    ['{{#quantity}}x', /{{#quantity}} is never closed/],
    ['x{{/quantity}}', /closes nothing/],
    ['{{#quantity}}{{#expires_on}}{{/quantity}}{{/expires_on}}', /must be closed first/],
    ['{{item_title', /}} is missing/],
  ])('%s is refused in subject, text and body', async (markup, why) => {
    for (const field of ['subject', 'text', 'body'] as const) {
      const found = await problems({ [field]: field === 'subject' ? markup : `{{claim_url}}${LINK}\n${markup}` })
      expect(found, field).toEqual([expect.stringMatching(why)])
      expect(found[0]).toMatch(field === 'subject' ? /^subject: Line 1: / : new RegExp(`^${field}: Line 2: `))
    }
  })

  test('comments and sections over optional variables are accepted', async () => {
    expect(
      await problems({
        subject: '{{! for us }}{{#quantity}}{{quantity}} × {{/quantity}}{{item_title}}{{^quantity}}!{{/quantity}}',
      }),
    ).toEqual([])
  })

  test('the variable that a mail needs must be present, and not only inside a section', async () => {
    expect(await problems({ text: 'Come by.' })).toEqual([expect.stringContaining('{{claim_url}} must stand here')])
    expect(await problems({ body: '<p>Come by.</p>' })).toEqual([
      expect.stringMatching(/^body: .*{{claim_url}} must stand here/),
    ])
    expect(await problems({ body: `{{#retry}}${LINK}{{/retry}}` })).toEqual([
      expect.stringContaining('not only in a section'),
    ])
    expect(await problems({ body: `<script>{{claim_url}}</script>` })).toEqual([
      expect.stringContaining('must stand here'),
    ])
    const { problems: pin } = await checkTemplate(OWNER, 'CLAIM_PINCODE', {
      subject: 'PIN',
      text: 'x',
      format: 'HTML',
      body: '<p>x</p>',
    })
    expect(pin.map(({ field }) => field)).toEqual(['text', 'body'])
  })
})

describe('MJML', () => {
  const ofMjml = (inner: string) => problems({ format: 'MJML', body: MJML(inner) })

  test('is compiled, and every problem has its line', async () => {
    expect(await ofMjml(`<mj-text>${LINK}</mj-text>`)).toEqual([])
    expect(await ofMjml(`<mj-text>${LINK}</mj-text>\n<mj-nope />`)).toEqual([
      expect.stringMatching(/^body: Line 5: Element mj-nope/),
    ])
    expect(await ofMjml(`<mj-text wide="1">${LINK}</mj-text>`)).toEqual([
      expect.stringMatching(/^body: Line 4: Attribute wide is illegal\.$/),
    ])
    expect(await ofMjml(`<mj-text>${LINK}`)).toEqual([
      expect.stringMatching(/^body: Line 5: <\/mj-column> closes nothing here: <mj-text> is still open/),
    ])
    expect(await problems({ format: 'MJML', body: 'Hello {{claim_url}}' })).toEqual([
      expect.stringContaining('This is not MJML'),
    ])
  })

  test('can include no files, scripts, frames or foreign fonts', async () => {
    expect(await ofMjml(`<mj-include path="/etc/passwd" />\n<mj-text>${LINK}</mj-text>`)).toEqual([
      expect.stringMatching(/^body: Line 4: .*mj-include/),
    ])
    const { html } = await checkTemplate(
      OWNER,
      'REDEEM_NFT',
      draft({
        format: 'MJML',
        body: MJML(
          `<mj-raw><script>alert(1)</script><iframe src="https://x.example"></iframe></mj-raw><mj-text>${LINK}</mj-text>`,
        ).replace(
          '<mj-body>',
          '<mj-head><mj-font name="Fancy" href="https://fonts.example/x.css" /></mj-head><mj-body>',
        ),
      }),
    )
    expect(html).not.toMatch(/<script|<iframe|fonts\.example/)
    expect(html).toContain('href="{{claim_url}}"')
  })

  test('a section between blocks is reported, because the compiler drops it; in mj-raw it is kept', async () => {
    const block = `<mj-text>${LINK}</mj-text>`
    expect(await ofMjml(`{{#quantity}}\n<mj-text>{{quantity}}</mj-text>\n{{/quantity}}\n${block}`)).toEqual([
      expect.stringMatching(/^body: Line 4: {{#quantity}} is lost where it stands.*mj-raw/),
    ])
    expect(
      await ofMjml(
        `<mj-raw>{{#quantity}}</mj-raw>\n<mj-text>{{quantity}}</mj-text>\n<mj-raw>{{/quantity}}</mj-raw>\n${block}`,
      ),
    ).toEqual([])
  })

  test('a hostile body is handled in time, or refused by its number of variables or blocks', async () => {
    for (const [open, close] of [
      ['<div>', '</div>'],
      ['<table><tr><td>', '</td></tr></table>'],
      ['{{#quantity}}', '{{/quantity}}'],
      ['<', ''],
      ['{{', ''],
      ['{{x}}', ''],
      ['<!--[if mso | IE]>', ''],
      ['url(', ''],
      ['<p style="', ''],
      ['<mj-text>', '</mj-text>'],
    ]) {
      const times = Math.floor(90_000 / (open!.length + close!.length))
      await checkTemplate(OWNER, 'REDEEM_NFT', draft({ body: open!.repeat(times) + LINK + close!.repeat(times) }))
      await checkTemplate(
        OWNER,
        'REDEEM_NFT',
        draft({ format: 'MJML', body: MJML(`<mj-text>${open!.repeat(times)}${close!.repeat(times)}</mj-text>`) }),
      )
    }
    expect((await problems({ body: `${LINK}${'{{#quantity}}x{{/quantity}}'.repeat(600)}` })).at(0)).toMatch(
      /more than 1000 variables and sections/,
    )
    expect((await ofMjml(`<mj-text>${LINK}</mj-text>`.repeat(800))).at(0)).toMatch(/more than 1500 blocks/)
    expect(await ofMjml(`<mj-text>${LINK}</mj-text>`.repeat(400))).toEqual([])
  })
})

describe('HTML cleaning', () => {
  test.each([
    ['<script>alert(1)</script>', /script|alert/],
    ['<img src="x" onerror="alert(1)">', /onerror|alert/],
    ['<a href="javascript:alert(1)">x</a>', /javascript/],
    ['<a href="&#106;avascript:alert(1)">x</a>', /avascript/],
    ['<a href="data:text/html,x">x</a>', /data:/],
    ['<img src="data:image/svg+xml;base64,AAAA">', /svg/],
    ['<form action="https://x.example"><input name="pin"><button>Go</button></form>', /form|input|button/],
    ['<iframe src="https://x.example"></iframe><object data="x"></object><embed src="x">', /iframe|object|embed/],
    ['<link rel="stylesheet" href="https://x.example/a.css">', /link|a\.css/],
    ['<meta http-equiv="refresh" content="0;url=https://x.example">', /refresh|x\.example/],
    ['<base href="https://x.example/">', /base/],
    ['<style>@import url(https://x.example/a.css); p { color: red }</style>', /import|a\.css/],
    ['<style>p { background: url("javascript:alert(1)") }</style>', /javascript/],
    ['<style>p { background: u\\rl(https://x.example) }</style>', /u\\rl/],
    ['<style></style><script>alert(1)</script></style>', /script|alert/],
    ['<p style="background:url(//x.example/i.png);behavior:url(x.htc)">x</p>', /x\.example|htc/],
    ['<svg><script>alert(1)</script></svg><math><mi>x</mi></math>', /svg|script|math/],
    ['<!--[if mso]><script>alert(1)</script><![endif]-->', /script|alert/],
    ['<!--[if mso | IE]><table onclick="x"><tr><td><![endif]-->', /onclick/],
    ['<!-- {{claim_url}} -->', /claim_url/],
    ['<video src="https://x.example"></video><audio src="x"></audio>', /video|audio/],
  ])('%s is removed', (html, trace) => {
    expect(clean(html).html.replace('<!doctype html>', '')).not.toMatch(trace)
  })

  test('styles, links and embedded images are kept', () => {
    const kept =
      '<html lang="en"><head><meta charset="utf-8" /><style>p { color: red; background: url(https://cdn.example/a.png) }</style></head><body><p style="color:#123456;margin:0" class="x">Hi <b>you</b> <a href="https://museum.example" target="_blank">there</a></p><img src="data:image/png;base64,AAAA" alt="{{item_title}}" width="10" /></body></html>'
    expect(clean(kept)).toEqual({ html: `<!doctype html>\n${kept}\n`, problems: [] })
  })

  test('a variable is allowed in text or as a whole address, not in styles', () => {
    const problemsIn = (html: string) => clean(html).problems.map(({ line, detail }) => `${line}: ${detail}`)
    expect(problemsIn('<img src="{{image_url}}" alt="{{item_title}}"><a href=" {{ claim_url }} ">x</a>')).toEqual([])
    expect(problemsIn('\n<a href="https://x.example/?u={{claim_url}}">x</a>')).toEqual([
      expect.stringMatching(/^2: An address is either written out or one variable.*{{claim_url}}, {{image_url}}/),
    ])
    expect(problemsIn('<a href="{{item_title}}">x</a>')).toHaveLength(1)
    expect(problemsIn('<p style="color:{{item_title}}">x</p>')).toEqual([
      '1: A variable can’t stand in the attribute style.',
    ])
    expect(problemsIn('<style>p { color: {{item_title}} }</style>')).toEqual([
      '1: A variable can’t stand in a style sheet.',
    ])
  })

  test('cleaning a style sheet twice changes nothing more', () => {
    for (const css of [
      '@im/**/port "x";',
      '@im@importport "x";',
      'a{b:expressionexpression((1)}',
      'p{background:u/* */rl(x)}',
      'u\\72l(x)',
      'url(url(x))',
    ])
      expect(cleanCss(cleanCss(css))).toBe(cleanCss(css))
    expect(cleanCss('@im@import x;port "https://x.example";')).not.toMatch(/@import/)
  })
})

test('a variable’s value can’t add a header, markup or another variable', () => {
  const values = { item_title: 'A\r\nBcc: eve@example.com <b>"&{{pin}}' }
  expect(fillSubject('Hi {{item_title}}', values)).toBe('Hi A Bcc: eve@example.com <b>"&{{pin}}')
  expect(fillHtml('<p title="{{item_title}}">', values)).toBe(
    '<p title="A\r\nBcc: eve@example.com &lt;b&gt;&quot;&amp;{{pin}}">',
  )
})
