import { readableOn } from '../../core/contrast.ts'

/** The layout of all platform mails, as MJML, with dark-mode colours and an organization's brand. */

/** What an organization replaces in the layout. */
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

type LayoutParts = {
  preheader: string
  heading: string
  lead: readonly string[]
  picture?: boolean
  button?: { label: string; url: string }
  code?: string
  notes: readonly string[]
  isRefusable?: true
  /** The name above the mail. */
  sender: string
  /** The organization writes it, not the platform. */
  byOrganization: boolean
  brand: Brand
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

const paragraph = (text: string) =>
  optionalBlock(text, (words) => `<mj-text css-class="ink" padding="0 32px 14px">${words}</mj-text>`)

const note = (text: string) =>
  optionalBlock(
    text,
    (words) =>
      `<mj-text css-class="muted" color="${MUTED}" font-size="13px" line-height="20px" padding="0 32px 10px">${words}</mj-text>`,
  )

/**
 * Puts the whole block into the section when its text is one, so that an absent text leaves no gap and a list makes a block of each of its
 * entries.
 */
function optionalBlock(text: string, block: (words: string) => string): string {
  const [, name, words] = /^\{\{#(\w+)\}\}(.*)\{\{\/\1\}\}$/s.exec(text) ?? []
  return name ? `<mj-raw>{{#${name}}}</mj-raw>\n${block(words!)}\n<mj-raw>{{/${name}}}</mj-raw>` : block(text)
}

const picture = `
  <mj-raw>{{#image_url}}</mj-raw>
  <mj-image css-class="art" src="{{image_url}}" alt="{{item_title}}" font-size="16px" padding="0" border-radius="10px 10px 0 0" fluid-on-mobile="true" />
  <mj-raw>{{/image_url}}</mj-raw>`

const code = (text: string) => `
  <mj-text css-class="code" padding="6px 32px 20px" align="center">
    <div style="font-family:${MONO.replaceAll("'", '&#39;')};font-size:34px;line-height:44px;letter-spacing:8px;font-weight:600;padding:14px 0 14px 8px;background-color:${WALL};border:1px solid ${LINE};border-radius:8px;">${text}</div>
  </mj-text>`

const button = ({ label, url }: { label: string; url: string }, { colour }: Brand) => `
  <mj-button css-class="press" href="${url}" background-color="${colour ?? INK}" color="${readableOn(colour ?? INK)}" font-size="16px" font-weight="600" inner-padding="14px 26px" border-radius="6px" align="left" padding="8px 32px 22px">${label}</mj-button>
  <mj-text css-class="muted" color="${MUTED}" font-size="13px" line-height="20px" padding="0 32px 18px">
    If the button does nothing, copy this address into your browser:<br /><a href="${url}" style="color:inherit;word-break:break-all;">${url}</a>
  </mj-text>`

/** Text of the organization, escaped so that it is neither markup nor Mustache. */
const escapeText = (text: string) =>
  text.replace(/[&<>"'{}]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\r?\n/g, '<br />')

/** Whose mail it is: logo, name, and the domain that its owner confirmed when the mail is sent. */
const senderLine = ({ sender, byOrganization, brand }: LayoutParts) => `${
  brand.logoUrl
    ? `<mj-image css-class="logo" src="${escapeText(brand.logoUrl)}" alt="" align="left" width="140px" padding="0 32px 8px" />`
    : ''
}
        <mj-text css-class="muted" color="${MUTED}" font-size="14px" padding="0 32px">${sender}${byOrganization ? '{{#organization_domain}} · {{organization_domain}}{{/organization_domain}}' : ''}</mj-text>`

/** The small print below: the organization's own, where to ask, and who sent it. */
function footerOf({ byOrganization, isRefusable, brand: { footer, contactEmail, showsVitrine } }: LayoutParts): string {
  const lines = [
    ...(footer ? [escapeText(footer)] : []),
    ...(contactEmail
      ? [
          `Questions? <a href="mailto:${escapeText(contactEmail)}" style="color:inherit;">${escapeText(contactEmail)}</a>`,
        ]
      : []),
    ...(byOrganization ? (showsVitrine ? ['Sent via Vitrine.'] : []) : ['Sent by Vitrine.']),
  ]
  const small = (text: string) =>
    `<mj-text css-class="muted" color="${MUTED}" font-size="12px" line-height="18px" padding="0 32px 6px">${text}</mj-text>`
  return [
    ...(lines.length > 0 ? [small(lines.join('<br />'))] : []),
    ...(isRefusable ? [optionalBlock(UNSUBSCRIBE, small)] : []),
  ].join('\n')
}

const UNSUBSCRIBE =
  '{{#unsubscribe_url}}<a href="{{unsubscribe_url}}" style="color:inherit;">Unsubscribe</a> from gifts of {{organization_name}}{{/unsubscribe_url}}'

export const layoutOf = (head: LayoutParts): string =>
  indented(`
<mjml lang="en">
  <mj-head>
    <mj-title>${head.heading}</mj-title>
    <mj-preview>${head.preheader}</mj-preview>
    <mj-raw>
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
    </mj-raw>
    <mj-attributes>
      <mj-all font-family="${SANS}" />
      <mj-text color="${INK}" font-size="16px" line-height="25px" />
      <mj-section padding="0" />
    </mj-attributes>
    <mj-style>
      :root { color-scheme: light dark; supported-color-schemes: light dark; }${head.picture ? artStyle : ''}${darkOf(head.brand)}
    </mj-style>
  </mj-head>
  <mj-body width="560px" background-color="${WALL}" css-class="wall">
    <mj-section padding="32px 0 14px">
      <mj-column>
        ${senderLine(head)}
      </mj-column>
    </mj-section>
    <mj-wrapper css-class="pane" background-color="${PANE}" border="1px solid ${LINE}" border-radius="10px" padding="0">
      <mj-section padding="0 0 22px">
        <mj-column>
          ${head.picture ? picture : ''}
          <mj-text css-class="ink" font-size="24px" line-height="31px" font-weight="600" padding="30px 32px 14px">${head.heading}</mj-text>
          ${head.lead.map(paragraph).join('\n')}
          ${head.code ? code(head.code) : ''}
          ${head.button ? button(head.button, head.brand) : ''}
          ${head.notes.map(note).join('\n')}
        </mj-column>
      </mj-section>
    </mj-wrapper>
    <mj-section padding="18px 0 36px">
      <mj-column>
        ${footerOf(head)}
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`)

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
