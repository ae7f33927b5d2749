import { Fragment, type ReactElement, type ReactNode } from 'react'
import { marked, type Token, type Tokens } from 'marked'
import { CopyButton } from '@/components/ui/copy-button'
import { TextLink } from '@/components/ui/text-link'
import { headingId } from '@/lib/core/heading-id'
import { oncePerProcess } from '@/lib/core/once-per-process'

/**
 * One of the project's Markdown texts as elements of our own. HTML in it is left out: only what is named here can
 * appear on the page. Each text is read once, and what was read is kept: give it no texts of users.
 */
export function Markdown({ text }: { text: string }) {
  return <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{tokensOf(text).map(blockOf)}</div>
}

const read = oncePerProcess('Markdown that was read', () => new Map<string, Token[]>())

function tokensOf(text: string): Token[] {
  const known = read.get(text)
  if (known) return known
  const tokens = marked.lexer(text)
  read.set(text, tokens)
  return tokens
}

/** marked's type of a token's children is optional for every kind of token. */
const inlineOf = (token: { tokens?: Token[] | undefined; text?: string }): ReactNode =>
  token.tokens?.map(inline) ?? token.text

function blockOf(token: Token, at: number): ReactElement | null {
  switch (token.type) {
    case 'heading':
      return <Heading key={at} heading={token as Tokens.Heading} />
    case 'paragraph':
    case 'text':
      return <p key={at}>{inlineOf(token)}</p>
    case 'code':
      return <CodeBlock key={at} {...(token as Tokens.Code)} />
    case 'list':
      return <List key={at} list={token as Tokens.List} />
    case 'table':
      return <TableOf key={at} table={token as Tokens.Table} />
    case 'blockquote':
      return (
        <div key={at} className="grid gap-3 rounded-lg border border-l-4 border-l-glass bg-glass-soft px-4 py-3">
          {(token as Tokens.Blockquote).tokens.map(blockOf)}
        </div>
      )
    case 'hr':
      return <hr key={at} />
    default:
      return null
  }
}

function inline(token: Token, at: number): ReactNode {
  switch (token.type) {
    case 'text':
    case 'escape':
      return <Fragment key={at}>{inlineOf(token)}</Fragment>
    case 'strong':
      return (
        <strong key={at} className="font-medium">
          {inlineOf(token)}
        </strong>
      )
    case 'em':
      return <em key={at}>{inlineOf(token)}</em>
    case 'codespan':
      return (
        <code key={at} className="rounded-sm bg-well px-1 py-0.5 font-mono text-[0.875em] wrap-anywhere">
          {(token as Tokens.Codespan).text}
        </code>
      )
    case 'link':
      return <LinkOf key={at} link={token as Tokens.Link} />
    case 'br':
      return <br key={at} />
    default:
      return null
  }
}

/** Links to our own pages and to https. Others, such as to a file of the repository, are shown as text. */
function LinkOf({ link }: { link: Tokens.Link }) {
  const content = inlineOf(link)
  if (!/^(https:\/\/|\/(?!\/)|#)/.test(link.href)) return <span>{content}</span>
  if (/^\/(openapi|dev|docs\/reference|llms\.txt|docs\/[\w-]+\.md)/.test(link.href))
    return (
      <a href={link.href} className="rounded-sm text-glass underline decoration-glass/45 underline-offset-3">
        {content}
      </a>
    )
  return (
    <TextLink href={link.href} prefetch={false}>
      {content}
    </TextLink>
  )
}

const HEADINGS = {
  1: 'text-2xl font-medium',
  2: 'mt-6 border-t pt-6 text-xl font-medium',
  3: 'mt-3 text-lg font-medium',
} as const

function Heading({ heading }: { heading: Tokens.Heading }) {
  const depth = Math.min(heading.depth, 3) as 1 | 2 | 3
  const Level = `h${depth}` as const
  const id = headingId(heading.text.replaceAll('`', ''))
  return (
    <Level id={depth === 1 ? undefined : id} className={HEADINGS[depth]}>
      {depth === 1 ? (
        inlineOf(heading)
      ) : (
        <a href={`#${id}`} className="rounded-sm hover:text-glass">
          {inlineOf(heading)}
        </a>
      )}
    </Level>
  )
}

const LANGUAGES: Record<string, string> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  html: 'HTML',
  json: 'JSON',
  csv: 'CSV',
  http: 'HTTP',
  text: 'Output',
}

function CodeBlock({ lang, text }: { lang?: string; text: string }) {
  const label = LANGUAGES[lang?.split(' ')[0] ?? ''] ?? 'Code'
  return (
    <figure className="overflow-hidden rounded-lg border bg-well">
      <figcaption className="flex min-h-9 items-center justify-between gap-3 border-b pl-4 label-caps text-muted">
        <span>{label}</span>
        <CopyButton text={text} label="Copy this code" className="print:hidden" />
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={`${label} code`}
        className="overflow-x-auto px-4 py-3 text-sm print:whitespace-pre-wrap"
      >
        <code className="font-mono">{text}</code>
      </pre>
    </figure>
  )
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, at) => (
    <li key={at} className="pl-1">
      {item.tokens.map((token, index) =>
        token.type === 'text' ? (
          <Fragment key={index}>{inlineOf(token as Tokens.Text)}</Fragment>
        ) : (
          <div key={index} className="mt-2">
            {blockOf(token, index)}
          </div>
        ),
      )}
    </li>
  ))
  const look = 'grid grid-cols-[minmax(0,1fr)] gap-2 pl-6 marker:text-muted'
  return list.ordered ? (
    <ol className={`list-decimal ${look}`}>{items}</ol>
  ) : (
    <ul className={`list-disc ${look}`}>{items}</ul>
  )
}

function TableOf({ table }: { table: Tokens.Table }) {
  return (
    <div
      className="overflow-x-auto rounded-lg border bg-pane print:overflow-visible"
      tabIndex={0}
      role="region"
      aria-label={`Table: ${table.header.map(({ text }) => text).join(', ')}`}
    >
      <table className="w-full border-collapse text-left text-sm [&_code]:whitespace-nowrap [&_td]:min-w-32">
        <thead>
          <tr>
            {table.header.map((cell, at) => (
              <th key={at} scope="col" className="border-b bg-well/60 px-4 py-2.5 label-caps text-muted">
                {inlineOf(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at} className="border-b align-top last:border-b-0">
              {row.map((cell, index) => (
                <td key={index} className="px-4 py-2.5">
                  {inlineOf(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
