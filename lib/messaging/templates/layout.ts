import type { TemplateBlock } from '../../platform/api/email-templates.ts'
import { readableOn } from '../../core/contrast.ts'
import { dirOf, type Locale } from '../../core/locales.ts'
import { mustacheOf, type TagsOf } from './icu-to-mustache.ts'
import type { MailWords } from './mail-words.ts'
import { mailPictureUrlOf } from '../../records/media/mail-pictures.ts'
import { mediaStemOf } from '../../records/media/media-urls.ts'

/** The layout of all mails that are made of blocks, as MJML, with dark-mode colours and an organization's brand. */

/** The parts of the layout that an organization replaces. */
export type Brand = {
  logoUrl: string | null
  /** The button's colour, as #rrggbb. */
  colour: string | null
  footer: string | null
  contactEmail: string | null
  /** Whether the mail says that Vitrine sent it. */
  showsVitrine: boolean
}
export const NO_BRAND: Brand = { logoUrl: null, colour: null, footer: null, contactEmail: null, showsVitrine: true }

export type MailParts = {
  title: string
  preheader: string
  /** From top to bottom. */
  blocks: readonly TemplateBlock[]
  /** Its reader may unsubscribe, where nobody asked or paid for it. */
  isRefusable?: boolean
  /** The name above the mail. */
  sender: string
  /** The organization writes it, not the platform. */
  byOrganization: boolean
  brand: Brand
  /** Of all that is read in it. */
  locale: Locale
  /** Of the language, around the blocks. */
  words: MailWords['layout']
}

const SANS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Courier New', monospace"

const WALL = '#f3f6f5'
const PANE = '#ffffff'
const INK = '#14211f'
const MUTED = '#54625f'
const LINE = '#dfe6e4'

/** How a picture's text looks where pictures are off. */
const artStyle = `
  .art img { color: ${MUTED}; font-family: ${SANS}; line-height: 26px !important; text-align: center; }
`

/** Where lines of these languages break, as far as a mail program knows: between words, or between phrases. */
const WORD_BREAKS: Partial<Record<Locale, string>> = { ko: 'keep-all', ja: 'auto-phrase' }

const breaksOf = (locale: Locale): string => {
  const value = WORD_BREAKS[locale]
  return value === undefined ? '' : `\n      .wall div { word-break: ${value}; }`
}

const darkOf = ({ colour }: Brand) => `
  @media (prefers-color-scheme: dark) {
    body, body > div, .wall { background-color: #0f1615 !important; }
    .pane, .pane > table { background-color: #18211f !important; }
    .pane > table > tbody > tr > td { border-color: #2b3735 !important; }
    .ink div { color: #eef4f2 !important; }
    .muted div, .art img { color: #a3b1ae !important; }
    .logo img { background-color: #ffffff !important; border-radius: 4px !important; }
    .code div { background-color: #0f1615 !important; color: #eef4f2 !important; border-color: #2b3735 !important; }
    ${colour ? '' : '.press table td, .press a { background-color: #eef4f2 !important; color: #14211f !important; }'}
  }
`

/** Words of a person: no markup, though variables stay. Lines end where they were ended. */
const words = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\r?\n/g, '<br />')

/** Text of the organization that isn't Mustache either. */
const plainWords = (text: string) => words(text).replace(/[{}]/g, (brace) => `&#${brace.charCodeAt(0)};`)

/**
 * Puts the whole block into the section when its text is one, so that an absent text leaves no gap and a list makes a
 * block of each of its entries.
 */
function optionalBlock(text: string, block: (inner: string) => string): string {
  const [, name, inner] = /^\{\{#(\w+)\}\}(.*)\{\{\/\1\}\}$/s.exec(text.trim()) ?? []
  const shown = block(words((inner ?? text).trim()))
  return name ? `<mj-raw>{{#${name}}}</mj-raw>\n${shown}\n<mj-raw>{{/${name}}}</mj-raw>` : shown
}

/** Where a block stands in the pane: first, or below a picture. */
type Place = { isFirst: boolean; isBelowPicture: boolean }
type BlockOf<T extends TemplateBlock['type']> = Extract<TemplateBlock, { type: T }>

/** Space above a block that has less of its own. */
const above = ({ isFirst, isBelowPicture }: Place, own: string) => (isFirst || isBelowPicture ? '30px' : own)

const heading = ({ text }: BlockOf<'HEADING'>, place: Place) =>
  optionalBlock(
    text,
    (inner) =>
      '<mj-text css-class="ink" font-size="24px" line-height="31px" font-weight="600" ' +
      `padding="${above(place, '14px')} 32px 14px">${inner}</mj-text>`,
  )

const paragraph = ({ text, small }: BlockOf<'TEXT'>, place: Place) =>
  optionalBlock(text, (inner) =>
    small
      ? `<mj-text css-class="muted" color="${MUTED}" font-size="13px" line-height="20px" ` +
        `padding="${above(place, '0')} 32px 10px">${inner}</mj-text>`
      : `<mj-text css-class="ink" padding="${above(place, '0')} 32px 14px">${inner}</mj-text>`,
  )

const CODE_STYLE =
  `font-family:${MONO.replaceAll("'", '&#39;')};font-size:34px;line-height:44px;letter-spacing:8px;font-weight:600;` +
  `padding:14px 0 14px 8px;background-color:${WALL};border:1px solid ${LINE};border-radius:8px;`
const code = ({ text }: BlockOf<'CODE'>, place: Place) => `
  <mj-text css-class="code" padding="${above(place, '6px')} 32px 20px" align="center">
    <div style="${CODE_STYLE}">${words(text)}</div>
  </mj-text>`

const button = (
  { label, url }: BlockOf<'BUTTON'>,
  place: Place,
  { brand: { colour }, locale, words: { copyLink } }: MailParts,
) => `
  <mj-button css-class="press" href="${words(url)}" background-color="${colour ?? INK}"
    color="${readableOn(colour ?? INK)}" font-size="16px" font-weight="600" inner-padding="14px 26px"
    border-radius="6px" align="${beginOf(locale)}"
    padding="${above(place, '8px')} 32px 22px">${words(label)}</mj-button>
  <mj-text css-class="muted" color="${MUTED}" font-size="13px" line-height="20px" padding="0 32px 18px">
    ${words(copyLink)}<br /><a href="${words(url)}" style="color:inherit;word-break:break-all;">${words(url)}</a>
  </mj-text>`

function picture({ image_url, alt }: BlockOf<'PICTURE'>, { isFirst }: Place, origin: string): string {
  const look = isFirst ? 'padding="0" border-radius="10px 10px 0 0"' : 'padding="8px 32px 14px" border-radius="6px"'
  const image = (src: string) =>
    `<mj-image css-class="art" src="${src}" alt="${words(alt)}" font-size="16px" ${look} fluid-on-mobile="true" />`
  if (image_url === null)
    return `<mj-raw>{{#image_url}}</mj-raw>\n${image('{{image_url}}')}\n<mj-raw>{{/image_url}}</mj-raw>`
  const stem = mediaStemOf(image_url, origin)
  return image(words(stem === null ? image_url : mailPictureUrlOf(stem, origin)))
}

/** One block of the pane. */
function blockOf(block: TemplateBlock, place: Place, mail: MailParts, origin: string): string {
  switch (block.type) {
    case 'HEADING':
      return heading(block, place)
    case 'TEXT':
      return paragraph(block, place)
    case 'CODE':
      return code(block, place)
    case 'BUTTON':
      return button(block, place, mail)
    case 'PICTURE':
      return picture(block, place, origin)
    case 'BRAND':
    case 'FOOTER':
      return ''
  }
}

/** Whose mail it is: logo, name, and the domain that its owner confirmed when the mail is sent. */
const senderLine = ({ sender, byOrganization, brand, locale }: MailParts) => `${
  brand.logoUrl
    ? `<mj-image css-class="logo" src="${plainWords(brand.logoUrl)}" alt="" align="${beginOf(locale)}" ` +
      'width="140px" padding="0 32px 8px" />'
    : ''
}
        <mj-text css-class="muted" color="${MUTED}" font-size="14px" padding="0 32px">${sender}${
          byOrganization ? '{{#organization_domain}} · {{organization_domain}}{{/organization_domain}}' : ''
        }</mj-text>`

/** The small print below: the organization's own, where to ask, and who sent it. */
function footerOf({
  byOrganization,
  isRefusable,
  brand: { footer, contactEmail, showsVitrine },
  locale,
  words: { questions, sentVia, sentBy, unsubscribe },
}: MailParts): string {
  const lines = [
    ...(footer ? [plainWords(footer)] : []),
    ...(contactEmail
      ? [
          `${words(questions)} <a href="mailto:${plainWords(contactEmail)}" ` +
            `style="color:inherit;">${plainWords(contactEmail)}</a>`,
        ]
      : []),
    ...(byOrganization ? (showsVitrine ? [words(sentVia)] : []) : [words(sentBy)]),
  ]
  const small = (text: string) =>
    `<mj-text css-class="muted" color="${MUTED}" font-size="12px" line-height="18px" ` +
    `padding="0 32px 6px">${text}</mj-text>`
  return [
    ...(lines.length > 0 ? [small(lines.join('<br />'))] : []),
    ...(isRefusable
      ? [
          `<mj-raw>{{#unsubscribe_url}}</mj-raw>\n${small(mustacheOf(unsubscribe, locale, MARKS))}\n` +
            '<mj-raw>{{/unsubscribe_url}}</mj-raw>',
        ]
      : []),
  ].join('\n')
}

/** The replacements of marks in words. */
export const MARKS: TagsOf = {
  link: (inner: string) => `<a href="{{unsubscribe_url}}" style="color:inherit;">${inner}</a>`,
}

/** Blocks that stand on the wall, around the pane. */
const OUTSIDE: ReadonlySet<TemplateBlock['type']> = new Set(['BRAND', 'FOOTER'])

/** Neighbours that stand in one section: all of the pane's, and each of the others alone. */
function sectionsOf(blocks: readonly TemplateBlock[]): TemplateBlock[][] {
  const sections: TemplateBlock[][] = []
  for (const block of blocks) {
    const last = sections.at(-1)
    if (last && !OUTSIDE.has(block.type) && !OUTSIDE.has(last[0]!.type)) last.push(block)
    else sections.push([block])
  }
  return sections
}

function sectionOf(blocks: TemplateBlock[], mail: MailParts, origin: string): string {
  const outside = (padding: string, inner: string) => `
    <mj-section padding="${padding}">
      <mj-column>
        ${inner}
      </mj-column>
    </mj-section>`
  if (blocks[0]!.type === 'BRAND') return outside('32px 0 14px', senderLine(mail))
  if (blocks[0]!.type === 'FOOTER') return outside('18px 0 36px', footerOf(mail))
  const placeOf = (at: number): Place => ({ isFirst: at === 0, isBelowPicture: blocks[at - 1]?.type === 'PICTURE' })
  return `
    <mj-wrapper css-class="pane" background-color="${PANE}" border="1px solid ${LINE}" border-radius="10px" padding="0">
      <mj-section padding="0 0 22px">
        <mj-column>
          ${blocks.map((block, at) => blockOf(block, placeOf(at), mail, origin)).join('\n')}
        </mj-column>
      </mj-section>
    </mj-wrapper>`
}

/** A mail of blocks as MJML. `origin`: of the pictures that were uploaded. */
export function layoutOf(mail: MailParts, origin: string): string {
  // Some mail programs drop the `dir` of a page: a language from right to left says it of each part again.
  const directed = dirOf(mail.locale) === 'rtl' ? ' direction="rtl"' : ''
  return indented(`
<mjml lang="${mail.locale}" dir="${dirOf(mail.locale)}">
  <mj-head>
    <mj-title>${words(mail.title)}</mj-title>
    <mj-preview>${words(mail.preheader)}</mj-preview>
    <mj-raw>
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
    </mj-raw>
    <mj-attributes>
      <mj-all font-family="${SANS}" />
      <mj-text color="${INK}" font-size="16px" line-height="25px"${directed && ' align="right"'} />
      <mj-section padding="0"${directed} />${
        directed && `\n      <mj-wrapper${directed} />\n      <mj-column${directed} />`
      }
    </mj-attributes>
    <mj-style>
      :root { color-scheme: light dark; supported-color-schemes: light dark; }${breaksOf(mail.locale)}${
        mail.blocks.some(({ type }) => type === 'PICTURE') ? artStyle : ''
      }${darkOf(mail.brand)}
    </mj-style>
  </mj-head>
  <mj-body width="560px" background-color="${WALL}" css-class="wall">
    ${sectionsOf(mail.blocks)
      .map((blocks) => sectionOf(blocks, mail, origin))
      .join('\n')}
  </mj-body>
</mjml>`).trim()
}

/** Where lines begin. */
const beginOf = (locale: Locale) => (dirOf(locale) === 'rtl' ? 'right' : 'left')

/** Indents the MJML for reading: the editor starts from it. */
function indented(source: string): string {
  let depth = 0
  const lines = source
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines
    .map((line) => {
      const closes = /^(<\/|\})/.test(line)
      const opened = (line.match(/<(?!\/|br\b)[^>]*[^/]>|\{(?=\s*$)/g) ?? []).length
      const closed = (line.match(/<\/|^\}/g) ?? []).length
      const at = closes ? Math.max(0, depth - 1) : depth
      depth = Math.max(0, depth + opened - closed)
      return '  '.repeat(at) + line
    })
    .join('\n')
}
