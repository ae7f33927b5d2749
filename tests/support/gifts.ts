import { SMTPServer } from 'smtp-server'
import { afterAll, expect } from 'vitest'
import { type Address, parseAbiItem } from 'viem'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { claimTokenOf } from '../../lib/giving/claim-token.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { systemClient } from '../../lib/db/client.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from './call.ts'
import type { TestChain } from './chain.ts'
import { makeRandomAddress } from './claims.ts'
import { makeCollection, makeItems } from './collections.ts'
import type { TestOrganization } from './organization.ts'
import { addPins, redeem } from './redeemable-claims.ts'
import { until } from './until.ts'
import { spawnWorker } from './worker.ts'

/** A mail server that only counts what each mailbox gets. */
export async function startMailCounter() {
  const received = new Map<string, number>()
  const connections = { opened: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      connections.opened++
      done()
    },
    onData: (stream, session, done) => {
      stream.resume()
      stream.on('end', () => {
        for (const { address } of session.envelope.rcptTo) received.set(address, (received.get(address) ?? 0) + 1)
        done()
      })
    },
  })
  server.on('error', () => undefined) // a client that disconnected
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${port}`, received, connections }
}
type MailCounter = Awaited<ReturnType<typeof startMailCounter>>

type Setting = {
  organization: TestOrganization
  testChain: TestChain
  mails: MailCounter
  /** How many claims, of a unit each. */
  count: number
  /** Worker processes. */
  workers: number
  /** Redemptions that are under way at the same time. */
  atOnce: number
}

/** Seconds that each step took. */
export type Pace = { judged: number; created: number; mailed: number; minted: number }

const ITEMS_PER_CALL = 500
const HOURS_MS = 10_800_000
const MINT = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)')

/**
 * A campaign that gives many mailboxes an item each: a file is imported, the mails leave, every claim is redeemed and
 * every token minted. Each step begins when the one before it has ended. Checks that everybody got one mail and one
 * token, and that the figures say so.
 */
export async function giveAway({ organization, testChain, mails, count, workers, atOnce }: Setting): Promise<Pace> {
  const api = callerOf(organization.key)
  const db = systemClient()
  const collectionId = await deployCollection(organization, testChain)
  for (let made = 0; made < count; made += ITEMS_PER_CALL)
    await makeItems(api, collectionId, Math.min(ITEMS_PER_CALL, count - made))
  const { body: campaign } = await api.post('/v1/marketing-campaigns', { name: newId() })
  const emails = Array.from({ length: count }, () => `${newId()}@example.com`)

  const judged = await secondsOf(async () => {
    const { status, body } = await api.post('/v1/email-claims/import', {
      csv: ['email,item', ...emails.map((email) => `${email},next`)].join('\n'),
      collection_id: collectionId,
      campaign_id: campaign.id,
      dry_run: false,
    })
    expect([status, body.ok_count], JSON.stringify(body).slice(0, 500)).toEqual([201, count])
  })
  const created = await secondsOf(async () => {
    while ((await runImports(systemContext())) > 0);
  })
  const claims = await db.emailClaim.findMany({ where: { campaignId: campaign.id }, orderBy: { id: 'asc' } })
  expect(claims.map(({ email }) => email).sort()).toEqual(emails.toSorted())
  expect(await figuresOf(api, campaign.id)).toMatchObject({ created: count, sent: 0, claimed: 0 })

  const running = Array.from({ length: workers }, () => spawnWorker(testChain, { env: { SMTP_URL: mails.url } }))
  const sent = () => db.outboxMessage.count({ where: { campaignId: campaign.id, state: 'SENT' } })
  const mailed = await secondsOf(() => until('The last mail', async () => (await sent()) === count, HOURS_MS))
  expect(emails.map((email) => mails.received.get(email))).toEqual(emails.map(() => 1))
  expect(await figuresOf(api, campaign.id)).toMatchObject({ created: count, sent: count, claimed: 0 })

  const redeemable = await addPins(organization, claims)
  const addresses = new Map<string, Address>()
  const waiting = redeemable.map((claim) => ({ ...claim, token: claimTokenOf({ id: claim.id, generation: 1 }) }))
  const minted = await secondsOf(async () => {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let claim = waiting.pop(); claim; claim = waiting.pop()) {
          addresses.set(claim.itemId, makeRandomAddress())
          await redeem(claim, addresses.get(claim.itemId)!)
        }
      }),
    )
    await until('The last mint', async () => (await completedOf(collectionId)) === count, HOURS_MS)
  })
  await Promise.all(running.map((worker) => worker.stop()))

  const [{ contractAddress }, items] = await Promise.all([
    db.collection.findUniqueOrThrow({ where: { id: collectionId } }),
    db.item.findMany({ where: { collectionId } }),
  ])
  const logs = await testChain.client.getLogs({ address: contractAddress as Address, event: MINT, fromBlock: 0n })
  expect(logs.map(({ args }) => `${args.id} ${args.to}`).sort()).toEqual(
    items.map(({ id, tokenId }) => `${tokenId} ${addresses.get(id)}`).sort(),
  )
  expect(await figuresOf(api, campaign.id)).toMatchObject({ created: count, sent: count, claimed: count })
  return { judged, created, mailed, minted }
}

const completedOf = (collectionId: string) =>
  systemClient().mintRequest.count({ where: { collectionId, state: 'COMPLETED' } })

async function deployCollection(organization: TestOrganization, testChain: TestChain): Promise<string> {
  const worker = spawnWorker(testChain)
  const collectionId = await makeCollection(callerOf(organization.key), {
    deployment_request: { network_id: 31337, platform: { symbol: 'GIFT', variant: 'ERC721' } },
  })
  const where = { id: collectionId, deploymentStatus: 'SUCCESS' as const }
  await until('The deployment', () => organization.ctx.db.collection.findFirst({ where }))
  await worker.stop()
  return collectionId
}

async function figuresOf(api: ReturnType<typeof callerOf>, campaignId: string) {
  const { body } = await api.get(`/v1/analytics/campaigns/${campaignId}`)
  return body.totals as Record<string, number>
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
