import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parseAbiItem } from 'viem'
import { POST as advanceClock } from '../../app/sandbox/clock/advance/route.ts'
import { now, realNow, setBusinessTimeAhead } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { makeWebhook } from '../support/webhooks.ts'
import { spawnWorker } from '../support/worker.ts'

// A worker process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let testChain: TestChain
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await startMailbox()
  testChain = await startChain({ blockTime: 1 })
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  env.VITRINE_SANDBOX = true
})
afterAll(() => {
  env.VITRINE_SANDBOX = false
  setBusinessTimeAhead(0)
})

async function advance(duration: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ duration }) }
  expect((await advanceClock(new Request('http://localhost:3000/sandbox/clock/advance', init))).status).toBe(200)
}

const readWorkers = () => systemClient().worker.findMany({ where: { stoppedAt: null } })

/**
 * Waits until each worker has told twice more that it runs: it has followed the clock and looked for due work many
 * times by then.
 */
async function waitForBeats(): Promise<void> {
  for (let beats = 0; beats < 2; beats++) {
    const before = new Map((await readWorkers()).map(({ id, seenAt }) => [id, seenAt]))
    await until('Both workers go on', async () =>
      (await readWorkers()).every(({ id, seenAt }) => seenAt > before.get(id)!),
    )
  }
}

/** Who has which task, and with which token. */
const readLeases = async () => {
  const rows = await systemClient().lease.findMany({ orderBy: { task: 'asc' } })
  return rows.map(({ task, holder, token }) => ({ task, holder, token }))
}

test('two workers while the sandbox’s clock is advanced by days: no lease is lost, and nothing is sent twice', async () => {
  const organization = await makeOrganization()
  const { itemIds, contract, api } = await makeOnChainCollection(organization, testChain, { items: 5 })
  const { receiver, deliveries } = await makeWebhook(organization, { events: ['claim.created'] })
  const settings = { env: { VITRINE_SANDBOX: '1', SMTP_URL: mailbox.url } }
  const workers = [spawnWorker(testChain, settings), spawnWorker(testChain, settings)]
  await until('Two workers', async () => (await readWorkers()).length === 2)
  await waitForBeats()
  const leases = await readLeases()

  // Mails and webhooks that take long: their leases must hold while the clock is moved.
  const openMailbox = mailbox.holdAnswers()
  const openReceiver = receiver.holdAnswers()
  const [minted, ...given] = itemIds
  const emails = given.map(() => `${newId()}@example.com`)
  for (const [at, item_id] of given.entries())
    expect((await api.post('/v1/email-claims', { email: emails[at], item_id })).status).toBe(201)
  const order = await api.post('/v1/mint-requests', { item_id: minted, to_address: makeRandomAddress() })
  await receiver.waitForRequests(given.length)
  const mailsOfEach = () => emails.map((email) => mailbox.mailsTo(email).length)
  await until('The mails', () => mailsOfEach().every((count) => count > 0))
  // A receiver has fifteen seconds of real time to answer: they are held no longer than it takes to look twice.
  await advance('P10D')
  await waitForBeats()
  expect(receiver.received).toHaveLength(given.length)
  expect(mailsOfEach()).toEqual(emails.map(() => 1))

  openMailbox()
  openReceiver()
  await until('The deliveries', async () => (await deliveries()).every(({ state }) => state === 'DELIVERED'))
  const waiting = { toEmail: { in: emails }, state: 'PENDING' as const }
  await until('The sent mails', async () => (await systemClient().outboxMessage.count({ where: waiting })) === 0)
  const mintRequest = `/v1/mint-requests/${order.body.mint_requests[0].id}`
  await until('The mint', async () => (await api.get(mintRequest)).body.state === 'COMPLETED')

  // A webhook that is made ten days later has a time stamp that its receiver takes.
  expect(now().getTime() - realNow().getTime()).toBe(10 * 86_400_000)
  await api.delete(`/v1/email-claims/${(await api.get('/v1/email-claims?limit=1')).body.results[0].id}`)
  await api.post('/v1/email-claims', { email: emails[0], item_id: given.at(-1) })
  await receiver.waitForRequests(given.length + 1)
  await waitForBeats()
  expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(given.length + 1)
  expect(receiver.received).toHaveLength(given.length + 1)
  for (const { headers } of receiver.received)
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(300)
  expect((await deliveries()).map(({ attempts }) => attempts)).toEqual(Array(given.length + 1).fill(1))
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)')
  expect(await testChain.client.getLogs({ address: contract, event, fromBlock: 0n })).toHaveLength(1)

  const held = new Map((await readLeases()).map((lease) => [lease.task, lease]))
  expect(leases.map(({ task }) => held.get(task))).toEqual(leases)
  expect(await systemClient().alarm.count({ where: { kind: 'worker_silent' } })).toBe(0)
  for (const worker of workers) expect(await worker.stop()).toEqual({ code: 0, signal: null })
})
