import type { Address } from 'viem'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'

const { disk, postgres } = await vi.hoisted(async () => {
  Object.assign(process.env, {
    RATE_LIMIT_PUBLIC_READS: '1000',
    RATE_LIMIT_PUBLIC_WRITES: '1000',
    RATE_LIMIT_ADMIN: '1000',
  })
  const { mountSmallDisk } = await import('../support/small-disk.ts')
  const { startOwnPostgres } = await import('../support/own-postgres.ts')
  const small = mountSmallDisk(192)
  // What WAL was is given back at a checkpoint, and none is made in advance.
  return { disk: small, postgres: await startOwnPostgres({ under: small.folder, given: { wal_recycle: 'off' } }) }
})

import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { databaseFaultOf } from '../../lib/db/errors.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { writeMail } from '../../lib/messaging/outbox/write-mail.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { database } from '../../scripts/doctor/checks/database.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { call, type ApiResponse } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims, type RedeemableClaim } from '../support/redeemable-claims.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { spawnWorker } from '../support/worker.ts'

// A process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const CLAIMS = 6

let chain: TestChain
let organization: TestOrganization
let mailbox: Mailbox
let onChain: Awaited<ReturnType<typeof makeOnChainCollection>>
beforeAll(async () => {
  chain = await startChain({ blockTime: 1 })
  mailbox = await startMailbox()
  organization = await makeOrganization()
  onChain = await makeOnChainCollection(organization, chain, { variant: 'ERC1155', max_supply: CLAIMS })
})

/** Runs statements as the owner of the database, each by itself. */
async function asOwner(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL! })
  client.on('error', () => undefined) // the statement tells
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A worker's output, and how it ended. */
async function startWorker() {
  const lines: string[] = []
  const env = { LOG_LEVEL: 'info', SMTP_URL: mailbox.url, ORIGIN: `http://localhost:${await freePort()}` }
  const worker = spawnWorker(chain, { lines, env })
  await until('The worker', () => lines.some((line) => line.includes('The worker runs.')))
  return { worker, lines }
}
const errorsIn = (lines: readonly string[]): string[] =>
  lines
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .flatMap(({ level, msg }) => (level >= 50 ? msg : []))

const makeCollection = (key: string): Promise<ApiResponse> =>
  call('POST', '/v1/collections', {
    key: organization.key,
    body: { name: key, description: 'Long. '.repeat(300) },
    headers: { 'idempotency-key': key },
  })
const countOf = (name: string) => organization.ctx.db.collection.count({ where: { name } })

/** Asks for collections until one is refused; gives its key. */
async function untilRefused(): Promise<string> {
  for (;;) {
    const key = newId()
    const { status, headers, body } = await makeCollection(key)
    if (status === 201) continue
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
    return key
  }
}

/** All of these are answered, by clients that come for the first time too. */
async function assertReads(collectionId: string): Promise<void> {
  const { key } = organization
  for (const url of [
    '/v1/collections',
    `/v1/collections/${collectionId}`,
    '/v1/items',
    '/v1/email-claims',
    '/v1/listings',
  ])
    expect((await call('GET', url, { key })).status, url).toBe(200)
  for (let at = 1; at <= 20; at++) {
    const headers = { 'x-client-address': `192.0.2.${at}` }
    expect((await call('GET', `/public/v1/collections/${collectionId}`, { headers })).status).toBe(200)
  }
}

const doctorSays = async () => {
  const { readEnv } = await import('../../lib/core/env.ts')
  const settings = readEnv(process.env)
  const quote = (error: unknown) => (error as Error).message
  const [finding] = await database.run({ settings, timeoutMs: 10_000, quote } as Parameters<typeof database.run>[0])
  return `${finding!.verdict} ${finding!.detail} ${finding!.remedy}`
}

test('on a full disk reads go on and writes are told to wait; with room again, also after PostgreSQL had to end, all is done once', async () => {
  const token = { contract: onChain.contract, variant: 'ERC1155' as const }
  const claims = await makeRedeemableClaims(organization, onChain.collectionId, Array(CLAIMS).fill(onChain.itemIds[0]))
  await catchUpWith(chain.chain)
  const { worker, lines } = await startWorker()
  const { db } = organization.ctx
  const claimed = () => db.emailClaim.count({ where: { state: 'CLAIMED' } })
  const owners: Address[] = []
  await redeem(claims.shift()!)
  await until('The first delivery', claimed)

  // WAL has room, so that this is about tables: PostgreSQL itself ends where WAL has none.
  await asOwner('SELECT pg_switch_wal()', 'CHECKPOINT')
  const fullMs = performance.now()
  const before = lines.length
  disk.fill()
  onTestFinished(disk.free)
  const key = await untilRefused()
  await assertReads(onChain.collectionId)
  expect(await doctorSays()).toMatch(
    /^wrong The database can’t use its disk: .*No space left on device.* Free or add space/,
  )
  expect(await countOf(key)).toBe(0)
  const redemptions = claims.splice(0, 3).map(redeem)
  await until('The worker’s line', () => errorsIn(lines.slice(before)).length > 0)

  // WAL that can't be written ends PostgreSQL, and without room it can't recover: what a recovery gives back is taken.
  await until('The end of PostgreSQL', async () => {
    disk.fill()
    await asOwner(...Array<string>(3).fill("SELECT pg_logical_emit_message(true, 'fill', repeat('x', 9000000))")).catch(
      () => undefined,
    )
    return postgres.hasEnded()
  })
  expect(databaseFaultOf(await systemClient().$queryRaw`SELECT 1`.catch((error: unknown) => error))).toBe('away')
  expect((await makeCollection(key)).body.code).toBe('unavailable')
  redemptions.push(...claims.map(redeem))

  disk.free()
  await postgres.kill()
  const again = await until('The return', async () => {
    const answer = await makeCollection(key)
    return answer.status !== 503 && answer
  })
  expect([again.status, await countOf(key)]).toEqual([201, 1])
  await Promise.all(redemptions)
  await until('The deliveries', async () => (await claimed()) === CLAIMS)
  for (const owner of owners) expect(await unitsOf(chain, token, { owner, tokenId: 1n })).toBe(1n)
  await until('The mails', async () => (await db.outboxMessage.count({ where: { state: { not: 'SENT' } } })) === 0)
  const mails = await db.outboxMessage.findMany({ select: { toEmail: true } })
  expect(mails.length).toBeGreaterThanOrEqual(CLAIMS)
  for (const { toEmail } of mails) expect([toEmail, mailbox.mailsTo(toEmail).length]).toEqual([toEmail, 1])
  await until(
    'The agreement of stock, money and chain',
    async () => (await verifyRecords(systemContext('test'))).length === 0,
  )
  expect(await doctorSays()).toMatch(/^ok /)

  // One line a minute for each of the two: the disk, and the end of PostgreSQL.
  const minutes = Math.floor((performance.now() - fullMs) / 60_000)
  const said = errorsIn(lines.slice(before))
  expect(said.length, said.join('\n')).toBeLessThanOrEqual(2 * (1 + minutes))
  expect(said.join('\n')).toContain('The database can’t use its disk: free or add space if it is full')
  expect(await worker.stop()).toEqual({ code: 0, signal: null })

  /** Repeats what the database had no room for, or was away for. */
  async function redeem({ token: link, pin }: RedeemableClaim): Promise<void> {
    owners.push(makeRandomAddress())
    const body = { pin, address: owners.at(-1)! }
    const answer = await until('The redemption', async () => {
      const given = await call('POST', `/public/v1/email-claims/${link}/redeem`, { body })
      return !['unavailable', 'idempotency_in_flight'].includes(given.body.code) && given
    })
    // An earlier try was committed, and its answer lost.
    if (answer.body.code !== 'claim_already_claimed') expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  }
})

test('a database that takes reads only is told as such: reads go on, and writes as soon as it takes them', async () => {
  const setMs = performance.now()
  // A mail server has a mail, and what it answered can't be recorded.
  const to = `${newId()}@example.com`
  const variables = { sign_in_url: 'https://vitrine.example/link', origin_host: 'vitrine.example', minutes: '60' }
  await writeMail(systemContext('test'), { templateType: 'SIGN_IN', to, variables })
  const release = mailbox.holdAnswers()
  const sending = mailbox.deliver(to)
  await until('The mail', () => mailbox.mailsTo(to).length)
  await asOwner('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
  // Processes of PostgreSQL take the setting over one by one, soon after it was asked for.
  const key = await untilRefused()
  release()
  expect(await sending).toHaveLength(1)
  await assertReads(onChain.collectionId)
  expect(await doctorSays()).toMatch(/^wrong The database takes reads only\. Name the primary in DATABASE_URL/)
  const { lines, worker } = await startWorker()
  await until('The worker’s line', () => errorsIn(lines).length > 0)

  await asOwner(
    'SET default_transaction_read_only = off',
    'ALTER SYSTEM RESET default_transaction_read_only',
    'SELECT pg_reload_conf()',
  )
  const again = await until('The return', async () => {
    const answer = await makeCollection(key)
    return answer.status !== 503 && answer
  })
  expect([again.status, await countOf(key)]).toEqual([201, 1])
  expect([await mailbox.deliver(to), mailbox.mailsTo(to).length]).toEqual([[], 1])
  await until('The worker’s return', () => lines.some((line) => line.includes('It works again.')))
  const minutes = Math.floor((performance.now() - setMs) / 60_000)
  expect(errorsIn(lines).length, errorsIn(lines).join('\n')).toBeLessThanOrEqual(1 + minutes)
  expect(await worker.stop()).toEqual({ code: 0, signal: null })
})
