import { describe, expect, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { SESSION_COOKIE } from '../../lib/platform/auth/cookies.ts'
import { call } from '../support/call.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'

describe('a call of the API with a session instead of a key', () => {
  test.each([
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['of another site whose browser sends nothing else', { origin: 'https://evil.example' }],
    ['of a sibling host', { origin: 'http://shop.localhost:3000', 'sec-fetch-site': 'same-site' }],
    [
      'with an origin that claims to be of this site',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['with a hidden origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['across sites, without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host, without an origin', { 'sec-fetch-site': 'same-site' }],
    ['by an address that was typed', { 'sec-fetch-site': 'none' }],
    ['that says nothing of where it comes from', {}],
  ])('%s is refused', async (_, sent: Record<string, string>) => {
    const { userId } = await makeOrganization()
    const cookie = `${SESSION_COOKIE}=${await makeSession(userId)}`
    const read = await call('GET', '/v1/me', { headers: { cookie, ...sent } })
    expect([read.status, read.body.code]).toEqual([401, 'unauthenticated'])
    const write = await call('POST', '/v1/marketing-campaigns', {
      body: { name: newId() },
      headers: { cookie, ...sent },
    })
    expect([write.status, write.body.code]).toEqual([401, 'unauthenticated'])
  })

  test('from our own pages passes', async () => {
    const { userId, ctx } = await makeOrganization()
    const cookie = `${SESSION_COOKIE}=${await makeSession(userId)}`
    const ours: Record<string, string>[] = [{ origin: env.ORIGIN }, { 'sec-fetch-site': 'same-origin' }]
    for (const sent of ours) {
      const headers = { cookie, ...sent }
      expect((await call('POST', '/v1/marketing-campaigns', { body: { name: newId() }, headers })).status).toBe(201)
    }
    expect(await ctx.db.campaign.count()).toBe(2)
  })
})
