import { readBounded } from '../../core/read-bounded.ts'
import { sameBytes } from '../../core/secrets.ts'
import { accountObject } from './objects.ts'
import { createAccount, createAccountLink, getAccount } from './accounts.ts'
import { type SandboxStore, openSandboxStore } from './store.ts'
import { answerDispute, listDisputes } from './disputes.ts'
import { invalidRequest, SandboxFailure } from './failure.ts'
import { allSandboxKeys, sandboxId } from './keys.ts'
import {
  cancelIntent,
  confirmIntent,
  createIntent,
  getIntentOf,
  getIntentWithSecret,
  buyerIntentObject,
} from './payment-intents.ts'
import { listIntents } from './list-intents.ts'
import { intentObject } from './objects.ts'
import { createRefund, listRefunds } from './refunds.ts'

type Call = {
  store: SandboxStore
  id: string
  form: URLSearchParams
  account: string
  key: string | null
  expand: string[]
}
type Operation = {
  method: 'GET' | 'POST'
  path: RegExp
  who: 'platform' | 'anyone'
  do: (call: Call) => Promise<object>
}

/** The operations of Stripe's API that the sandbox's provider has. `who`: `platform` needs the secret key. */
const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: /^\/v1\/accounts$/,
    who: 'platform',
    do: ({ store, form, key }) => createAccount(store, form, key),
  },
  {
    method: 'GET',
    path: /^\/v1\/accounts\/(\w+)$/,
    who: 'platform',
    do: async ({ store, id }) => accountObject(await getAccount(store, id), store.now()),
  },
  {
    method: 'POST',
    path: /^\/v1\/account_links$/,
    who: 'platform',
    do: ({ store, form }) => createAccountLink(store, form),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    who: 'platform',
    do: ({ store, account, form, key }) => createIntent(store, account, form, key),
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents$/,
    who: 'platform',
    do: ({ store, account, form, expand }) => listIntents(store, account, form, expand),
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/(\w+)$/,
    who: 'platform',
    do: async ({ store, account, id, expand }) => intentObject(await getIntentOf(store, account, id), expand),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/cancel$/,
    who: 'platform',
    do: ({ store, account, id, expand }) => cancelIntent(store, account, id, expand),
  },
  {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    who: 'platform',
    do: ({ store, account, form, key }) => createRefund(store, account, form, key),
  },
  {
    method: 'GET',
    path: /^\/v1\/refunds$/,
    who: 'platform',
    do: ({ store, account, form }) => listRefunds(store, account, form.get('payment_intent') ?? ''),
  },
  {
    method: 'GET',
    path: /^\/v1\/disputes$/,
    who: 'platform',
    do: ({ store, account, form }) => listDisputes(store, account, form.get('payment_intent') ?? ''),
  },
  {
    method: 'POST',
    path: /^\/v1\/disputes\/(\w+)$/,
    who: 'platform',
    do: ({ store, account, id, form }) => answerDispute(store, account, id, form),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/confirm$/,
    who: 'anyone',
    do: ({ store, id, form }) => confirmIntent(store, id, form),
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/(\w+)$/,
    who: 'anyone',
    do: async ({ store, id, form }) => buyerIntentObject(await getIntentWithSecret(store, id, form)),
  },
]

const MAX_BODY_BYTES = 100_000

/**
 * Handles one API request to the provider, whose paths begin with /v1. The provider's errors become responses.
 * `hidden`: who has none of its keys is told that there is nothing.
 */
export async function handleSandboxRequest(
  request: Request,
  { store = openSandboxStore(), hidden = false }: { store?: SandboxStore; hidden?: boolean } = {},
): Promise<Response> {
  const requestId = sandboxId('req', 14)
  const headers = { 'request-id': requestId, 'cache-control': 'no-store' }
  try {
    return Response.json(await answer(request, store, hidden), { headers })
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    return Response.json({ error: error.error }, { status: error.status, headers })
  }
}

async function answer(request: Request, store: SandboxStore, hidden: boolean): Promise<object> {
  const url = new URL(request.url)
  const form = request.method === 'GET' ? url.searchParams : new URLSearchParams(await textOf(request))
  const who = callerOf(request, form)
  if (!who) throw hidden ? nothingAt(request.method, url) : unknownKey(request, form)
  const matches = ({ method, path }: Operation) => method === request.method && path.test(url.pathname)
  const operation = OPERATIONS.find(
    (candidate) => matches(candidate) && (candidate.who === who || (who === 'platform' && candidate.who === 'anyone')),
  )
  if (!operation) {
    if (OPERATIONS.some(matches))
      throw new SandboxFailure(401, {
        type: 'invalid_request_error',
        message: 'This API call cannot be made with a publishable API key.',
        code: 'secret_key_required',
      })
    throw nothingAt(request.method, url)
  }
  return operation.do({
    store,
    id: operation.path.exec(url.pathname)?.[1] ?? '',
    form,
    account: request.headers.get('stripe-account') ?? '',
    key: request.headers.get('idempotency-key'),
    expand: [...form].filter(([name]) => /^expand\[\d*\]$/.test(name)).map(([, value]) => value),
  })
}

/**
 * The platform sends the secret key; a buyer's page the publishable one, in a header or in the form. null: neither of
 * ours.
 */
function callerOf(request: Request, form: URLSearchParams): Operation['who'] | null {
  const given = Buffer.from(keyIn(request, form))
  const isGiven = (key: string) => sameBytes(given, Buffer.from(key))
  const keys = allSandboxKeys()
  if (keys.some(({ secretKey }) => isGiven(secretKey))) return 'platform'
  return keys.some(({ publishableKey }) => isGiven(publishableKey)) ? 'anyone' : null
}

function keyIn(request: Request, form: URLSearchParams): string {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const basic = /^Basic +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  return bearer ?? (basic ? Buffer.from(basic, 'base64').toString('utf8').split(':')[0]! : form.get('key')) ?? ''
}

const unknownKey = (request: Request, form: URLSearchParams) =>
  new SandboxFailure(401, {
    type: 'invalid_request_error',
    message: keyIn(request, form) ? 'Invalid API Key provided.' : 'You did not provide an API key.',
  })

const nothingAt = (method: string, { pathname }: URL) =>
  new SandboxFailure(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${pathname}).`,
  })

async function textOf(request: Request): Promise<string> {
  const tooLarge = () => invalidRequest('The request is too large.')
  const text = (await readBounded(request.body, MAX_BODY_BYTES, tooLarge)).toString('utf8')
  const type = request.headers.get('content-type') ?? ''
  if (text !== '' && !/^application\/x-www-form-urlencoded/i.test(type))
    throw invalidRequest('Invalid request: send application/x-www-form-urlencoded.')
  return text
}
