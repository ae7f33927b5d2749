import sanitizeHtml from 'sanitize-html'
import { lineAt, type Problem } from './problem.ts'

const TAGS = [
  'html',
  'head',
  'title',
  'meta',
  'style',
  'body',
  'div',
  'span',
  'p',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'a',
  'img',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'sub',
  'sup',
  'small',
  'big',
  'blockquote',
  'pre',
  'code',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'table',
  'caption',
  'colgroup',
  'col',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'center',
  'font',
  'abbr',
  'q',
  'mark',
  'time',
  'header',
  'footer',
  'main',
  'section',
  'article',
  'figure',
  'figcaption',
]
const ATTRIBUTES = [
  'style',
  'class',
  'id',
  'dir',
  'lang',
  'title',
  'role',
  'aria-*',
  'align',
  'valign',
  'width',
  'height',
  'bgcolor',
  'border',
  'cellpadding',
  'cellspacing',
  'colspan',
  'rowspan',
  'span',
  'scope',
  'color',
  'face',
  'size',
  'start',
  'type',
  'datetime',
  'background',
]
/** Each is searched for in the source. */
const MAX_PROBLEMS = 20
const META = /^(viewport|color-scheme|supported-color-schemes|x-apple-disable-message-reformatting|format-detection)$/i
const DATA_PICTURE = /^data:image\/(png|gif|jpeg|webp);base64,/i
/** Attributes in which a variable may be part of a text. */
const TEXT_ATTRIBUTES = /^(alt|title|aria-.*)$/
/** Attributes in which a variable may be the whole URL. */
const URL_ATTRIBUTES = ['href', 'src', 'background']

/**
 * Cleans HTML for a mail: removes scripts, forms, frames, event handlers, executable URLs and everything fetched except
 * images. Outlook's conditional comments stay if they are plain layout. Problems are variables in places where they
 * can't be made safe.
 */
export function cleanHtml(
  html: string,
  { source, urls }: { source: string; urls: readonly string[] },
): { html: string; problems: Problem[] } {
  const problems: Problem[] = []
  const outlook = extractOutlookComments(html.replace(/[\uE000\uE001]/g, ''))
  const noteAttribute = (name: string, value: string) => {
    const fault = problems.length < MAX_PROBLEMS ? faultOf(name, value, urls) : null
    if (fault) problems.push({ line: lineAt(source, Math.max(0, source.indexOf(value))), detail: fault })
  }
  const cleaned = sanitizeHtml(outlook.html, {
    allowedTags: TAGS,
    allowVulnerableTags: true, // <style>, whose content is cleaned below
    allowedAttributes: {
      '*': ATTRIBUTES,
      a: ['href', 'target', 'rel', 'name'],
      img: ['src', 'alt'],
      meta: ['name', 'content', 'http-equiv', 'charset'],
      style: ['type', 'media'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    allowedSchemesAppliedToAttributes: URL_ATTRIBUTES,
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    enforceHtmlBoundary: false,
    nestingLimit: 200,
    transformTags: {
      '*': (tagName, attribs) => {
        if (tagName === 'meta' && !isHarmlessMeta(attribs)) return { tagName: 'x-dropped', attribs: {} }
        for (const [name, value] of Object.entries(attribs))
          if (value.includes('{{')) noteAttribute(name.toLowerCase(), value)
        const kept = Object.entries(attribs).filter(
          ([name, value]) => name !== 'src' || !/^\s*data:/i.test(value) || DATA_PICTURE.test(value),
        )
        return {
          tagName,
          attribs: Object.fromEntries(kept.map(([name, value]) => [name, name === 'style' ? cleanCss(value) : value])),
        }
      },
    },
  })
  const styled = cleaned.replace(
    /(<style\b[^>]*>)([\s\S]*?)(<\/style>)/gi,
    (_, open: string, css: string, close: string) => {
      if (css.includes('{{'))
        problems.push({
          line: lineAt(source, Math.max(0, source.indexOf('{{', source.search(/<(mj-)?style/i)))),
          detail: 'A variable can’t stand in a style sheet.',
        })
      return `${open}${cleanCss(css).replaceAll('<', '')}${close}`
    },
  )
  return { html: `<!doctype html>\n${outlook.putBack(styled).trim()}\n`, problems }
}

function faultOf(name: string, value: string, urls: readonly string[]): string | null {
  if (TEXT_ATTRIBUTES.test(name)) return null
  if (!URL_ATTRIBUTES.includes(name)) return `A variable can’t stand in the attribute ${name.slice(0, 40)}.`
  const whole = /^\s*\{\{\s*(\w+)\s*\}\}\s*$/.exec(value)?.[1]
  if (whole && urls.includes(whole)) return null
  const choice = urls.map((url) => `{{${url}}}`).join(', ')
  return `An address is either written out or one variable and nothing else${choice ? `: ${choice}` : ''}.`
}

const isHarmlessMeta = (attribs: Record<string, string>) =>
  attribs['http-equiv'] === undefined
    ? attribs.charset !== undefined || META.test(attribs.name ?? '')
    : /^(content-type|x-ua-compatible)$/i.test(attribs['http-equiv'])

const MAX_PASSES = 10

/**
 * CSS without imports, code, and URLs other than of images. CSS escapes are removed, as they could hide any of these.
 */
export function cleanCss(css: string): string {
  let clean = css
  for (let before = '', passes = 0; before !== clean; passes++) {
    // Removed text may leave a new match behind, so it is cleaned again. A style sheet that hides so much is no layout.
    if (passes === MAX_PASSES) return ''
    before = clean
    clean = clean
      .replace(/\\/g, '')
      .replace(/\/\*[\s\S]*?(\*\/|$)/g, '')
      .replace(/@import\b[^;}]*;?/gi, '')
      .replace(/(expression|behaviou?r|-moz-binding|javascript)\s*[:(]/gi, '')
      .replace(/(image-set|src)\s*\(/gi, 'none(')
      .replace(/@font-face\s*\{[^}]*\}?/gi, '')
      .replace(/url\(([^)]*)\)?/gi, (whole, url: string) => (isPicture(url) ? whole : 'none'))
  }
  return clean
}

/** Whether what stands in url() is fetched from the web or is a picture itself. */
function isPicture(url: string): boolean {
  const opened = url.trimStart().replace(/^["']/, '').trimStart().replace(/^["']/, '')
  return /^(https?:\/\/|data:image\/(png|gif|jpeg|webp);base64,)/i.test(opened)
}

/** Conditional comments that the MJML compiler writes for Outlook: tables around columns. */
const OUTLOOK_COMMENT = /<!--\[if mso \| IE\]>([\s\S]*?)<!\[endif\]-->/g
const OUTLOOK_TAG =
  /<\/?(?:table|tbody|tr|td|p|div|center)(?:\s+(?:style|class|align|valign|width|height|border|cellpadding|cellspacing|role|bgcolor)="[^"<>{}\\]*")*\s*\/?>/g

/**
 * Replaces Outlook's comments by markers; `putBack` restores them, or drops all of them if one is more than plain
 * layout.
 */
function extractOutlookComments(html: string): { html: string; putBack: (html: string) => string } {
  const comments: string[] = []
  let allPlain = true
  // Comments that open after the last end never end: nothing is searched for there.
  const last = html.lastIndexOf('<![endif]-->') + 1
  const lifted = html.slice(0, last && last + 11).replace(OUTLOOK_COMMENT, (whole, content: string) => {
    const plain =
      content
        .replace(/<!\[endif\]-->|<!--\[if [^\]]{0,100}\]>/g, '')
        .replace(OUTLOOK_TAG, '')
        .replace(/&nbsp;/g, '')
        .trim() === ''
    const safe = plain && !/url\s*\(|expression|javascript/i.test(content)
    allPlain &&= safe
    return `\uE000${comments.push(whole) - 1}\uE001`
  })
  return {
    html: lifted + html.slice(last && last + 11),
    putBack: (cleaned) =>
      cleaned.replace(/\uE000(\d+)\uE001/g, (_, at: string) => (allPlain && comments[Number(at)]) || ''),
  }
}
