import { env } from './env.ts'
import { SECRET_SETTINGS } from './secret-settings.ts'

/**
 * The paths with a secret in them, by their beginnings. tests/unit/redact.test.ts makes the same list from all routes.
 */
export const SECRET_PATHS: readonly string[] = [
  '/claim/{claimToken}',
  '/email-claims/{claim_token}', // of both hosts of the public API
  '/h/{code}',
  '/mails/{token}',
  '/unsubscribe/{token}',
]

/** Query parameters with a secret or a mailbox in them. Fragments count: a script may report one. */
export const SECRET_PARAMETERS: readonly string[] = [
  'client_secret',
  'code',
  'email',
  'email_address',
  'proof',
  'secret',
  'signature',
  'token',
]

/** A URL may stand in another one, with its separators escaped. Shorter parts are names of files. */
const beginning = (path: string): string => path.replace(/\{\w+\}$/, '').replaceAll('/', '(?:/|%2f)')
const IN_PATHS = new RegExp(`((?:${SECRET_PATHS.map(beginning).join('|')}))[\\w~%-]{20,}`, 'gi')
const IN_QUERIES = new RegExp(
  `((?:[?&#]|%3f|%26|%23)(?:${SECRET_PARAMETERS.join('|')})(?:=|%3d))[^&#\\s"'<>\\\\]*`,
  'gi',
)

/** Keys of ours, secrets of webhooks, keys and clients' secrets of Stripe, and signed tokens (RFC 7519). */
const BY_THEIR_FORM =
  /vt_(?:test|live)_\w{8}_[\w-]{40,}|whsec_[\w+/=-]{16,}|[sr]k_(?:test|live)_\w{8,}|(?:pi|seti)_\w{3,64}_secret_\w{8,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g
/** It doesn't begin within an escape of JSON. */
const MAILBOX =
  /(?<!\\|\\u[\da-f]{0,3})[^\s"'`<>()[\]{}:;,\\/?&=#|@]{1,64}(?:@|%40)(?:[\p{L}\d-]{1,63}\.){1,8}(?:\p{L}|xn--)[\p{L}\d-]+/giu
/** The values in PostgreSQL's messages about a violated key or a refused row. */
const STORED_VALUES = /(\)=\(|Failing row contains \()(?:\\.|[^"\\\n])*?(?=\)(?: already| is | conflicts|[.'"\\\n]|$))/g

/**
 * A line that is fit for a log: without tokens, secrets, keys and mailboxes. A PIN has no form of its own, and is never
 * logged.
 */
export const redact = (text: string): string =>
  OF_SETTINGS.reduce((line, secret) => line.replaceAll(secret, REDACTED), text)
    .replace(IN_PATHS, `$1${REDACTED}`)
    .replace(IN_QUERIES, `$1${REDACTED}`)
    .replace(BY_THEIR_FORM, REDACTED)
    .replace(STORED_VALUES, `$1${REDACTED}`)
    .replace(MAILBOX, REDACTED)

const REDACTED = '[redacted]'

/** Redacts what this process prints, also what a library does, such as Next's lines about failed pages. */
export function redactOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean
    stream.write = (chunk: unknown, ...rest: unknown[]) =>
      write(typeof chunk === 'string' ? redact(chunk) : chunk, ...rest)
  }
}

/**
 * The secrets of the settings, as a line may show them: each of a list, and of a URL its password and the long parts of
 * its path and query.
 */
const OF_SETTINGS: readonly string[] = Object.entries(env)
  .filter(([name]) => SECRET_SETTINGS.includes(name))
  .flatMap(([, value]) => [value].flat().map(String))
  .flatMap((value) => value.split(/[\s,;]+/))
  .flatMap((value) => {
    const url = /^(?:\d+=)?(\w+:\/\/.+)$/.exec(value)?.[1]
    return url && URL.canParse(url) ? secretsOfUrl(new URL(url)) : [value]
  })
  .filter((secret) => secret.length >= 8)

function secretsOfUrl({ protocol, password, pathname, searchParams }: URL): string[] {
  const path = protocol.startsWith('http') ? pathname.split('/') : [] // else it names a database
  const parts = [...path, ...searchParams.values()].filter((part) => part.length >= 16)
  return [password, decodedOf(password), ...parts]
}

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
