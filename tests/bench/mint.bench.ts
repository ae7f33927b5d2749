import { parseAbiItem, type Address } from 'viem'
import { beforeAll, expect, test, vi } from 'vitest'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeCollection, makeItems } from '../support/collections.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeDurable } from '../support/make-durable.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims, redeem, type RedeemableClaim } from '../support/redeemable-claims.ts'
import { until } from '../support/until.ts'
import { spawnWorker } from '../support/worker.ts'

const SIZES = (process.env.BENCH_MINTS ?? '500,5000').split(',').map(Number)
const ONE_BY_ONE = Number(process.env.BENCH_ONE_BY_ONE ?? '10')
const WORKERS = Number(process.env.BENCH_WORKERS ?? '2')
/** Concurrent redemptions. */
const CONCURRENT_REDEMPTIONS = 32
const ITEMS_PER_CALL = 500

let testChain: TestChain
let mailbox: Mailbox
let organization: TestOrganization

vi.setConfig({ testTimeout: 3_600_000 })

beforeAll(async () => {
  await makeDurable()
  mailbox = await startMailbox()
  testChain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
})

/** Makes items and their claims, which is not part of the measured time. */
async function makeClaims(collectionId: string, count: number): Promise<RedeemableClaim[]> {
  const itemIds: string[] = []
  for (let made = 0; made < count; made += ITEMS_PER_CALL)
    itemIds.push(...(await makeItems(callerOf(organization.key), collectionId, Math.min(ITEMS_PER_CALL, count - made))))
  return makeRedeemableClaims(organization, collectionId, itemIds)
}

async function makeDeployedCollection(): Promise<{ collectionId: string; contract: Address }> {
  const collectionId = await makeCollection(callerOf(organization.key), {
    deployment_request: { network_id: 31337, platform: { symbol: 'BENCH', variant: 'ERC721' } },
  })
  return until('The deployment', async () => {
    const { deploymentStatus, contractAddress } = await organization.ctx.db.collection.findFirstOrThrow({
      where: { id: collectionId },
    })
    return deploymentStatus === 'SUCCESS' && { collectionId, contract: contractAddress as Address }
  })
}

const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)')
const mintsOf = (collectionId: string, state?: 'COMPLETED') =>
  systemClient().mintRequest.count({ where: { collectionId, ...(state && { state }) } })

/** Runs `work` with WORKERS worker processes running beside it. */
async function withWorkers(work: () => Promise<void>): Promise<void> {
  const workers = Array.from({ length: WORKERS }, () => spawnWorker(testChain, { env: { SMTP_URL: mailbox.url } }))
  await work()
  await Promise.all(workers.map((worker) => worker.stop()))
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000
const rate = (count: number, seconds: number): string => `${(count / seconds).toFixed(1)} mints a second`

/** Mints per second when claims are redeemed one by one, for comparison. */
let oneByOnePerSecond = 0

test('claims redeemed one by one, each after the previous mint is on the chain', () =>
  withWorkers(async () => {
    const { collectionId } = await makeDeployedCollection()
    const claims = await makeClaims(collectionId, ONE_BY_ONE)
    const started = performance.now()
    for (const [at, claim] of claims.entries()) {
      await redeem(claim, makeRandomAddress())
      await until('The mint', async () => (await mintsOf(collectionId, 'COMPLETED')) > at)
    }
    const seconds = secondsSince(started)
    oneByOnePerSecond = claims.length / seconds
    console.log(`one by one: ${claims.length} claims in ${seconds.toFixed(1)} s, ${rate(claims.length, seconds)}`)
  }))

test.each(SIZES)('with a block a second, %i claims redeemed at once by one operator are minted', (count) =>
  withWorkers(async () => {
    const { collectionId, contract } = await makeDeployedCollection()
    const claims = await makeClaims(collectionId, count)
    const started = performance.now()
    let redeemed = 0
    const redeeming = Promise.all(
      Array.from({ length: CONCURRENT_REDEMPTIONS }, async () => {
        for (let claim = claims.shift(); claim; claim = claims.shift()) await redeem(claim, makeRandomAddress())
        redeemed = secondsSince(started)
      }),
    )
    await until('The last mint', async () => (await mintsOf(collectionId, 'COMPLETED')) === count, 3_000_000)
    const seconds = secondsSince(started)
    await redeeming

    const logs = await testChain.client.getLogs({ address: contract, event: transfer, fromBlock: 0n })
    expect(logs.map(({ args }) => Number(args.id)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: count }, (_, at) => at + 1),
    )
    const rows = await organization.ctx.db.transaction.findMany({ where: { collectionId, txType: 'ADMIN_MINT' } })
    const gas = rows.reduce((sum, row) => sum + (row.gasUsed ?? 0n), 0n)
    console.log(
      [
        `${count} claims, ${WORKERS} workers: ${seconds.toFixed(1)} s from the first redemption to the last confirmed token, ${rate(count, seconds)}`,
        `  the last redemption was answered after ${redeemed.toFixed(1)} s`,
        `  ${rows.length} transactions, ${(count / rows.length).toFixed(1)} mints each, ${(Number(gas) / count).toFixed(0)} gas a mint`,
        ...(oneByOnePerSecond > 0
          ? [`  ${(count / seconds / oneByOnePerSecond).toFixed(1)} times as many a second as one by one`]
          : []),
      ].join('\n'),
    )
  }),
)
