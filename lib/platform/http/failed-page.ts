import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type en from '../../../messages/en.json'
import { chooseLocale } from '../../core/choose-locale.ts'
import { dirOf } from '../../core/locales.ts'
import { LOCALE_COOKIE } from '../auth/cookies.ts'
import type { Application } from './http-server.ts'
import { isDatabaseUp } from './is-database-up.ts'
import { RECIPIENT_PAGES } from './page-policy.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

const RETRY_SECONDS = 5

/**
 * Next answers a page that failed with a body that only scripts fill. Whoever opened it gets one with words in its
 * place, and 503 while the database is away.
 */
export const withFailedPage =
  (application: Application): Application =>
  (request, response, turn, head) => {
    if (isVisit(request)) replaceFailure(request, response)
    return application(request, response, turn, head)
  }

/** A browser opens the page, or sends a form of it without script. */
const isVisit = ({ headers }: IncomingMessage): boolean =>
  headers.rsc === undefined && headers['next-action'] === undefined && /text\/html/.test(headers.accept ?? '')

function replaceFailure(request: IncomingMessage, response: ServerResponse): void {
  const { write, end, writeHead, flushHeaders } = response
  let isReplaced = false
  const isFailed = (status = response.statusCode): boolean =>
    (isReplaced ||=
      !response.headersSent && status === 500 && String(response.getHeader('content-type')).startsWith('text/html'))
  const restore = () => Object.assign(response, { write, end, writeHead, flushHeaders })
  Object.assign(response, {
    writeHead: (...given: Parameters<typeof writeHead>) =>
      isFailed(given[0]) ? response : writeHead.apply(response, given),
    flushHeaders: () => void (isFailed() || flushHeaders.call(response)),
    write: (...given: Parameters<typeof write>) => isFailed() || write.apply(response, given),
    end: (...given: Parameters<typeof end>) => {
      if (!isFailed()) return end.apply(response, given)
      if (!response.writableEnded) void answer(request, response, restore)
      return response
    },
  })
}

async function answer(request: IncomingMessage, response: ServerResponse, restore: () => void): Promise<void> {
  const isUp = await isDatabaseUp().catch(() => false)
  restore()
  for (const name of ['content-encoding', 'content-length', 'etag', 'link']) response.removeHeader(name)
  response.statusCode = isUp ? 500 : 503
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('cache-control', 'private, no-store')
  if (!isUp) response.setHeader('retry-after', RETRY_SECONDS)
  response.end(failedPage(request))
}

function failedPage({ url = '/', headers }: IncomingMessage): string {
  const { searchParams } = new URL(url, 'http://localhost')
  const kept = new RegExp(`(?:^|; )${LOCALE_COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1] ?? null
  const locale = chooseLocale({
    asked: searchParams.getAll('lang'),
    kept,
    stored: null,
    acceptLanguage: headers['accept-language'] ?? null,
    organization: null,
  })
  const { loadFailed, linkFailed, tryAgain } = wordsOf(locale)
  const why = RECIPIENT_PAGES.test(url) ? `<p>${linkFailed}</p>` : ''
  return (
    `<!doctype html><html lang="${locale}" dir="${dirOf(locale)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${loadFailed}</title><style>:root{color-scheme:light dark}` +
    'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.25rem}' +
    `h1{font-size:1.5rem;font-weight:500}</style></head><body><h1>${loadFailed}</h1>${why}` +
    `<p><a href="">${tryAgain}</a></p><p><small>Request-Id: ${String(headers[REQUEST_ID_HEADER])}</small></p>` +
    '</body></html>'
  )
}

function wordsOf(locale: string): (typeof en)['common'] {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), 'messages', `${locale}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as typeof en).common
}
