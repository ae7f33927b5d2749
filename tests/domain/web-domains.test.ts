import { beforeEach, expect, test } from 'vitest'
import { DAY, HOUR, moveClock } from '../../lib/core/clock.ts'
import { checkWebDomains } from '../../lib/organizations/check-web-domains.ts'
import { findSeller } from '../../lib/organizations/find-seller.ts'
import { getOrganization } from '../../lib/organizations/get-organization.ts'
import { updateOrganization } from '../../lib/organizations/update-organization.ts'
import { checkWebDomain } from '../../lib/organizations/web-domain.ts'
import { organizationContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { systemDns } from '../../lib/ports/dns/system-dns.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { FetchRefused } from '../../lib/ports/storage/storage.ts'
import { type DnsAnswer, startDnsServer } from '../support/dns-server.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
/** A domain of this test's organization alone. */
let NAME: string
let record: DnsAnswer
let file: () => Promise<string>

beforeEach(async () => {
  mine = await makeOrganization()
  NAME = `${mine.id}.example.com`
  record = 'no such name'
  file = () => Promise.reject(new FetchRefused('404'))
})

/** Name server and web server of the domain, as they answer at each moment. */
async function answering() {
  const server = await startDnsServer((name) => (name === `_vitrine.${NAME}` ? record : 'no such name'))
  const fetched: string[] = []
  const fetchText = (url: string) => {
    fetched.push(url)
    return file()
  }
  replacePorts({
    dns: systemDns([server.address]),
    fetcher: { fetchText, fetchImage: () => Promise.reject(new Error()) },
  })
  const looks = () => server.asked.filter((name) => name === `_vitrine.${NAME}`).length
  return { ...server, fetched, looks, ctx: organizationContext(mine.id, 'test') }
}

const proof = () => `vitrine-organization=${mine.id}`
const shown = async () => (await findSeller(organizationContext(mine.id), mine.id))!.domain
const recheck = () => checkWebDomains(systemContext('test'))

test('a TXT record that names the organization shows its domain; the name of another one doesn’t', async () => {
  const { ctx, asked } = await answering()
  record = ['v=spf1 -all', `vitrine-organization=${mine.memberId}`, `x ${proof()}`]
  const first = await updateOrganization(ctx, mine.id, { web_domain: NAME })
  expect(first.web_domain).toMatchObject({
    name: NAME,
    is_shown: false,
    record_name: `_vitrine.${NAME}`,
    value: proof(),
    file_url: `https://${NAME}/.well-known/vitrine.txt`,
  })
  expect(new Set(asked)).toEqual(new Set([`_vitrine.${NAME}`]))
  record = ['v=spf1 -all', proof()]
  expect((await updateOrganization(ctx, mine.id, { web_domain: NAME })).web_domain!.is_shown).toBe(true)
  expect(await shown()).toBe(NAME)
})

test('a file at its well-known place does as well, with the value on a line of its own', async () => {
  const { ctx, fetched } = await answering()
  file = () => Promise.resolve(`<p>${proof()}</p>`)
  expect((await updateOrganization(ctx, mine.id, { web_domain: NAME })).web_domain!.is_shown).toBe(false)
  file = () => Promise.resolve(`# ours\r\n${proof()}\r\n`)
  expect((await updateOrganization(ctx, mine.id, { web_domain: NAME })).web_domain!.is_shown).toBe(true)
  expect(new Set(fetched)).toEqual(new Set([`https://${NAME}/.well-known/vitrine.txt`]))
})

test('another domain isn’t shown by the proof of the one before, and null clears it', async () => {
  const { ctx } = await answering()
  record = [proof()]
  await updateOrganization(ctx, mine.id, { web_domain: NAME })
  record = 'no such name'
  expect((await updateOrganization(ctx, mine.id, { web_domain: 'other.example.com' })).web_domain).toMatchObject({
    is_shown: false,
    found_at: null,
  })
  expect((await updateOrganization(ctx, mine.id, { web_domain: null })).web_domain).toBeNull()
  const { looks } = await answering()
  await recheck()
  expect(looks()).toBe(0)
})

test('a domain is checked again every day, and hidden once it names the organization no more', async () => {
  const { ctx, looks } = await answering()
  record = [proof()]
  await updateOrganization(ctx, mine.id, { web_domain: NAME })
  await recheck()
  expect(looks()).toBe(1)
  moveClock(DAY * 1000)
  await recheck()
  expect(looks()).toBe(2)
  expect(await shown()).toBe(NAME)
  record = ['something else']
  moveClock(DAY * 1000)
  await recheck()
  expect(await shown()).toBeNull()
  record = [proof()]
  moveClock(DAY * 1000)
  await recheck()
  expect(await shown()).toBe(NAME)
})

test('where nobody answers, a domain stays shown for two days after it was last found', async () => {
  const { ctx, looks } = await answering()
  record = [proof()]
  await updateOrganization(ctx, mine.id, { web_domain: NAME })
  record = 'failure'
  moveClock(DAY * 1000)
  await recheck()
  expect(await shown()).toBe(NAME)
  const before = looks()
  moveClock(HOUR * 1000)
  await recheck()
  expect(looks()).toBeGreaterThan(before)
  moveClock(DAY * 1000)
  expect(await shown()).toBeNull()
  expect((await getOrganization(organizationContext(mine.id))).web_domain).toMatchObject({
    name: NAME,
    is_shown: false,
  })
})

test('servers that don’t answer are waited for only so long, and prove nothing', async () => {
  const { ctx } = await answering()
  record = 'silence'
  file = () => new Promise(() => undefined)
  expect(await checkWebDomain(ctx.ports, mine.id, NAME, 50)).toBe('unknown')
  file = () => Promise.resolve(proof())
  expect(await checkWebDomain(ctx.ports, mine.id, NAME, 50)).toBe('found')
})

test('a name server’s very long, binary or empty records are no proof', async () => {
  const { ctx } = await answering()
  for (const records of [['x'.repeat(3000)], ['\0\xff\x01'], [''], [], [`${proof()}\0`]]) {
    record = records
    expect(await checkWebDomain(ctx.ports, mine.id, NAME), JSON.stringify(records).slice(0, 40)).toBe('missing')
  }
})
