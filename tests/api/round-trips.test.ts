import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { newId } from '../../lib/core/id.ts'
import { SESSION_COOKIE } from '../../lib/platform/auth/cookies.ts'
import { call } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'
import { copyRows } from '../support/copied-rows.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { installServices, PREPARATIONS } from '../support/good-requests.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

/**
 * How many round trips to PostgreSQL a good request takes at most, with a key where one is needed and an
 * Idempotency-Key where one is taken. Limits are off; one in a block of them takes a round trip more.
 */
const BOUNDS: Record<string, number> = {
  'get-me': 4,
  'list-members': 4,
  'get-member': 3,
  search: 13,
  'list-media': 3,
  'get-media': 2,
  'list-snapshots': 3,
  'get-snapshot': 2,
  P16: 2,
  'list-organizations': 2,
  'listen-for-events': 2,
  'get-organization': 2,
  'list-listings': 4,
  'get-listing': 2,
  P10: 4,
  P11: 1,
  P12: 3,
  'list-allowances': 4,
  'count-sales': 2,
  'count-claims': 2,
  'count-campaign': 4,
  'list-api-keys': 3,
  'get-api-key': 2,
  'list-email-claims': 4,
  'get-email-claim': 3,
  'list-email-integrations': 3,
  'get-email-integration': 2,
  'list-suppressions': 3,
  P3: 1,
  'mail-links': 6,
  'wait-for-listing': 1,
  'wait-for-claim': 2,
  'wait-for-purchase-intent': 2,
  'wait-for-transfer': 2,
  P13: 2,
  P8: 1,
  P9: 1,
  'collection-stats': 3,
  P14: 0,
  'list-capabilities': 0,
  'get-capability': 0,
  'token-metadata': 2,
  'contract-metadata': 1,
  'list-imports': 4,
  'get-import': 3,
  'list-import-rows': 4,
  'get-import-result': 3,
  'export-items': 4,
  'export-holders': 2,
  'export-email-claims': 9,
  'export-purchases': 6,
  'list-collections': 3,
  'get-collection': 2,
  P1: 3,
  P2: 1,
  'get-deployment': 2,
  'list-items': 2,
  'get-item': 2,
  'list-item-holds': 5,
  P6: 4,
  P7: 2,
  'list-item-types': 4,
  'get-item-type': 3,
  'list-transactions': 3,
  'get-transaction': 2,
  A10: 4,
  'create-transfer': 24,
  'get-transfer': 4,
  'get-transfer-terms': 9,
  'list-transfer-budgets': 3,
  'set-transfer-budget': 10,
  'return-transfer': 16,
  'list-perks': 4,
  'get-perk': 3,
  'list-perk-codes': 4,
  'create-perk': 12,
  'update-perk': 9,
  'delete-perk': 8,
  'add-perk-codes': 9,
  'list-item-perks': 2,
  'open-perks': 8,
  'take-perk-codes': 24,
  'download-perk-file': 8,
  'list-wallet-copies': 3,
  'remove-wallet-copy': 5,
  A11: 3,
  'get-challenge': 2,
  'list-purchase-intents': 4,
  'get-admin-purchase-intent': 2,
  'list-payment-integrations': 3,
  'list-webhooks': 4,
  'get-webhook': 3,
  'list-webhook-deliveries': 5,
  'get-webhook-delivery': 3,
  'list-audit-entries': 4,
  'get-audit-entry': 3,
  A8: 4,
  'get-campaign': 3,
  'list-email-templates': 3,
  'get-email-words': 3,
  'update-email-words': 8,
  'get-email-template': 4,
  'list-email-template-variables': 2,
  'upload-media': 4,
  'create-snapshot': 5,
  'change-allow-list': 8,
  'create-api-key': 4,
  'create-email-claim': 4,
  'create-email-claims': 24,
  'resend-email-claim': 10,
  'open-claim': 5,
  'choose-claim-locale': 5,
  'choose-purchase-locale': 5,
  'resolve-recipient-name': 4,
  'hand-over-claim': 6,
  'prove-pin': 6,
  'check-recipient': 2,
  'decline-claim': 20,
  'import-items': 8,
  'import-email-claims': 12,
  'cancel-import': 7,
  'create-item': 5,
  'create-item-type': 5,
  'cancel-transaction': 18,
  'refresh-payment-integration': 13,
  'create-webhook': 9,
  'test-webhook': 9,
  'rotate-webhook-secret': 9,
  'replay-webhook': 8,
  'trigger-event': 8,
  'replay-webhook-delivery': 11,
  A6: 5,
  'preview-email-template': 8,
  'send-test-email-template': 11,
  'save-email-template': 10,
  'update-snapshot': 5,
  A4: 9,
  'update-listing': 10,
  'update-collection': 6,
  A5: 9,
  'update-item-type': 7,
  'update-webhook': 8,
  A7: 6,
  'cancel-listing': 7,
  'revoke-api-key': 7,
  'get-snapshot-holders': 3,
  'get-reveal': 1,
  'get-purchase-intent': 3,
  'get-address-challenge': 3,
  'challenge-wallet': 2,
  'prove-wallet': 2,
  'list-wallet-items': 3,
  'get-wallet-item': 3,
  'list-wallet-item-history': 2,
  'resolve-name': 2,
  'save-wallet-copy': 6,
  'find-wallet-copy': 3,
  'create-member': 23,
  'resend-invitation': 17,
  'create-listing': 10,
  A1: 7,
  'activate-email-integration': 14,
  'send-test-mail': 12,
  P4: 5,
  P5: 24,
  relay: 2,
  'start-import': 8,
  'create-collection': 11,
  'request-deployment': 12,
  'reveal-collection': 15,
  'refresh-metadata': 7,
  'create-items': 4,
  'lock-items': 9,
  'create-mint-requests': 12,
  P15: 4,
  'refund-purchase-intent': 67,
  'resolve-purchase-intent': 47,
  'take-over-purchase-intent': 27,
  'create-payment-integration': 17,
  'report-abuse': 11,
  'update-member': 9,
  A2: 7,
  'choose-member-locale': 12,
  'leave-organization': 10,
  'remove-member': 9,
  'revoke-email-claim': 18,
  A3: 7,
  'delete-suppression': 7,
  'delete-collection': 4,
  'delete-item': 4,
  'delete-item-type': 4,
  'give-up-purchase-intent': 8,
  'disconnect-payment-integration': 7,
  'delete-webhook': 10,
  A9: 11,
  'delete-email-template': 6,
}

let mine: TestOrganization
let ids: Record<string, string>

async function makeMine(): Promise<void> {
  mine = await makeOrganization()
  ids = await makeRows(mine)
  await call('GET', '/v1/me', { key: mine.key }) // Once a minute, the use of a key is noted beside a request.
}

beforeAll(async () => {
  installFakeChain()
  await installServices()
  await makeMine()
})

const queryOf = (endpoint: Endpoint): Record<string, string> => {
  const { organization_id, listing_id, eth_address } = ids as Record<string, string>
  const queries: Record<string, Record<string, string>> = {
    search: { q: 'Theirs' },
    P1: { organization_id: organization_id! },
    P10: { organization_id: organization_id! },
    P11: { listing_id: listing_id!, eth_address: eth_address! },
    P16: { network_id: '31337' },
  }
  return queries[endpoint.id] ?? {}
}

/** The documented example, with the organization's own ids. */
const bodyOf = ({ example }: Endpoint): object =>
  Object.fromEntries(
    Object.entries((example ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === 'string' ? (ids[name] ?? value) : value,
    ]),
  )

/** The headers of a page of the dashboard. */
const sessionHeaders = (token: string) => ({
  cookie: `${SESSION_COOKIE}=${token}`,
  'sec-fetch-site': 'same-origin',
})

/**
 * The round trips of one request. That the test looks for its audit entry doesn't count, nor what is noted of a key
 * once a minute.
 */
async function tripsOf(endpoint: Endpoint): Promise<string[]> {
  const own = (await PREPARATIONS[endpoint.id]?.(mine)) ?? {}
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => own.ids?.[name] ?? ids[name]!)
  const query = new URLSearchParams(own.query ?? queryOf(endpoint)).toString()
  const { result, roundTrips } = await countRoundTrips(() =>
    call(endpoint.method, `${path}?${query}`, {
      key: own.session ? undefined : (own.key ?? mine.key),
      headers: {
        ...(own.session && sessionHeaders(own.session)),
        ...(endpoint.method !== 'GET' && { 'idempotency-key': newId() }),
      },
      ...(endpoint.method !== 'GET' && { body: own.body ?? bodyOf(endpoint) }),
    }),
  )
  expect(result.status, JSON.stringify(result.body)).toBeLessThan(300)
  return roundTrips.filter((text) => !/^SELECT COUNT.*audit_entries|UPDATE api_keys SET last_used_at/.test(text))
}

test('every endpoint has a bound of round trips', () => {
  expect(Object.keys(BOUNDS).toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted())
})

const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const bounded = endpoints
  .filter(({ id }) => id in BOUNDS)
  .toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

describe('a request keeps to its bound', () => {
  test.each(bounded)('%s takes no more round trips than it may', async (_, endpoint) => {
    const trips = await tripsOf(endpoint)
    expect(trips.length, trips.join('\n')).toBeLessThanOrEqual(BOUNDS[endpoint.id]!)
  })
})

test('a list of 20 takes no more round trips than a list of one', async () => {
  await makeMine()
  const lists = bounded.map(([, endpoint]) => endpoint).filter(({ method, query }) => method === 'GET' && query)
  // Permits are taken in blocks, and again once their minute is over.
  const isOfList = (text: string) => !/INTO rate_limits/.test(text)
  const read = async () => {
    const found = new Map<string, string[]>()
    for (const endpoint of lists) found.set(endpoint.id, (await tripsOf(endpoint)).filter(isOfList))
    return found
  }
  const before = await read()
  await copyRows(mine.id)
  for (const [id, trips] of await read())
    expect(trips.length, `${id}\n${trips.join('\n')}`).toBeLessThanOrEqual(before.get(id)!.length)
})
