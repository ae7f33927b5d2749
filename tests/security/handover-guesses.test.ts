import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { callerOf } from '../support/call.ts'
import { installFakeChain, sendClaim } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'

const PER_MINUTE = 4

/** What the server says to the browser that pressed the button. */
type Pressed = { to: string; cookie: { name: string; value: string; options: object } | null }

let clients = 0
let client = ''
let cookie: Pressed['cookie'] = null
vi.doMock('next/headers', () => ({
  headers: () => Promise.resolve(new Headers({ 'x-client-address': client })),
  cookies: () =>
    Promise.resolve({
      set: (name: string, value: string, options: object) => void (cookie = { name, value, options }),
    }),
}))
vi.doMock('next/navigation', () => ({
  redirect: (to: string) => {
    throw Object.assign(new Error('redirected'), { to })
  },
}))

process.env.RATE_LIMIT_PUBLIC_WRITES = String(PER_MINUTE)
vi.resetModules()
const { takeAction } = await import('../../app/h/[code]/actions.ts')
afterAll(() => void (process.env.RATE_LIMIT_PUBLIC_WRITES = '0'))
beforeEach(() => {
  client = `192.0.2.${++clients}`
})

async function press(code: string): Promise<Pressed> {
  cookie = null
  const redirected: unknown = await takeAction(code).catch((error: unknown) => error)
  return { to: (redirected as { to: string }).to, cookie }
}

const sent = async () => {
  installFakeChain()
  const claim = await sendClaim(await makeOrganization())
  const { body } = await callerOf().post(`/public/v1/email-claims/${claim.token}/handover`)
  return { claim, code: (body.url as string).split('/h/')[1]! }
}

test('the token comes as a cookie that scripts can’t read, for the page of this code alone', async () => {
  const { claim, code } = await sent()
  const { to, cookie } = await press(code)
  expect(to).toBe(`/h/${code}`)
  expect(cookie).toMatchObject({ value: claim.token, options: { path: `/h/${code}`, httpOnly: true, sameSite: 'lax' } })
  expect(await press(code)).toEqual({ to: `/h/${code}?said=over`, cookie: null })
})

test('a client’s guesses are counted, and a right one after too many is refused, too', async () => {
  const { code } = await sent()
  for (let guess = 0; guess < PER_MINUTE; guess++)
    expect((await press(String(guess).padStart(22, 'A'))).to).toMatch(/said=over$/)
  expect(await press(code)).toEqual({ to: `/h/${code}?said=later`, cookie: null })
})
