import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { type Address, type Hex, parseAbiItem, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims, redeem } from '../support/redeemable-claims.ts'
import { connectCards, makeAddressBuyer, makeListing, pay, readPurchase } from '../support/selling.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { sendVoucher } from '../support/vouchers.ts'
import { spawnWeb } from '../support/web.ts'
import { spawnWorker } from '../support/worker.ts'

// A process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const run = promisify(execFile)
const newKey = generatePrivateKey()
const [OLD_VOUCHERS, NEW_VOUCHERS] = [randomBytes(32), randomBytes(32)]
const derived = (key: Buffer) => `derived:${key.toString('hex')}`

let chain: TestChain
let organization: TestOrganization
let drops: Awaited<ReturnType<typeof makeOnChainCollection>>
let editions: Awaited<ReturnType<typeof makeOnChainCollection>>
let listings: { card: string; voucher: string }
let env: Record<string, string>
let oldOperator: Address
let origin: string
const newOperator = privateKeyToAccount(newKey).address
const api = () => callerOf(organization.key)

beforeAll(async () => {
  chain = await startChain({ blockTime: 1 })
  oldOperator = chain.operator.address
  await chain.node.setBalance({ address: newOperator, value: parseEther('100') })
  replacePorts({ keys: envKeyring([chain.operatorKey], OLD_VOUCHERS) })
  organization = await makeOrganization()
  await connectCards(organization)
  await api().patch(`/v1/organizations/${organization.id}`, { payout_address: makeRandomAddress() })
  drops = await makeOnChainCollection(organization, chain, { items: 400 })
  items.push(...drops.itemIds)
  editions = await makeOnChainCollection(organization, chain, { variant: 'ERC1155', items: 2, max_supply: 1_000 })
  const sell = async (item_id: string, more: object) =>
    (await makeListing(organization, { item_id, quantity_listed: 1_000, ...more })).id as string
  listings = {
    card: await sell(editions.itemIds[0]!, {}),
    voucher: await sell(editions.itemIds[1]!, { price: 1_000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }),
  }
  // Both keys are listed from here on, as docs/operators.md and docs/keys.md ask before anything is rotated.
  replacePorts({ keys: envKeyring([chain.operatorKey, newKey], () => [NEW_VOUCHERS, OLD_VOUCHERS]) })
  env = {
    ...chain.env,
    OPERATOR_KEYS: `${chain.operatorKey},${newKey}`,
    VOUCHER_KEY: `${derived(NEW_VOUCHERS)},${derived(OLD_VOUCHERS)}`,
    SMTP_URL: (await startMailbox()).url,
    PROOF_OF_WORK: 'off',
    OPEN_INTENTS_PER_CLIENT: '0',
  }
})

/** Runs a command of the operator while everything goes on, and gives what it prints. */
const command = async (script: string, ...args: string[]) =>
  (await run(process.execPath, [`scripts/${script}.ts`, ...args], { env: { ...process.env, ...env } })).stdout

type Answer = { status: number; body: any }

/** Asks as a careful client does: again while something is away for a moment, with the same key. */
const ask = (status: number, send: (headers: Record<string, string>) => Promise<Answer>): Promise<any> => {
  const headers = { 'idempotency-key': newId() }
  return until('An answer', async () => {
    const answer = await send(headers)
    if (answer.status === 503 || answer.body.code === 'idempotency_in_flight') return null
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    return answer.body
  })
}

const deliveredTo = (what: string, path: string, is: (body: any) => boolean) =>
  until(what, async () => is(await ask(200, () => api().get(path))))

/** Buys one unit at the web process, which asks for no proof of work. */
const buy = (listing_id: string, buyer: object) =>
  ask(201, async (headers) => {
    const response = await fetch(`${origin}/public/v1/purchase-intents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ listing_id, buyer }),
    })
    return { status: response.status, body: await response.json() }
  })

async function makeAccount() {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.node.setBalance({ address: account.address, value: parseEther('1') })
  return account
}

/** Items of a collection that nothing was done with yet. */
const items: string[] = []
const takeItem = (): string => items.pop()!
/** How many units of each kind of load were asked for and delivered. */
const delivered = { mint: 0, gift: 0, voucher: 0, card: 0, sale: 0 }

async function makeVoucher() {
  const account = await makeAccount()
  const [claim] = await makeRedeemableClaims(organization, drops.collectionId, [takeItem()], { txPayer: 'BUYER' })
  const { voucher } = await redeem(claim!, account.address)
  return {
    use: async () => {
      expect((await sendVoucher(chain, account, voucher)).status).toBe('success')
      await deliveredTo('The voucher', `/v1/email-claims/${claim!.id}`, ({ delivered_at }) => delivered_at !== null)
    },
  }
}

const LOAD: Record<keyof typeof delivered, () => Promise<void>> = {
  async mint() {
    const order = { item_id: takeItem(), to_address: makeRandomAddress() }
    const { mint_requests } = await ask(201, (headers) => api().post('/v1/mint-requests', order, headers))
    const { id } = mint_requests[0]
    await deliveredTo('The mint', `/v1/mint-requests/${id}`, ({ state }) => state === 'COMPLETED')
  },
  async gift() {
    const [claim] = await makeRedeemableClaims(organization, drops.collectionId, [takeItem()])
    await redeem(claim!, makeRandomAddress())
    await deliveredTo('The gift', `/v1/email-claims/${claim!.id}`, ({ delivered_at }) => delivered_at !== null)
  },
  async voucher() {
    await (await makeVoucher()).use()
  },
  async card() {
    const purchase = await buy(listings.card, makeAddressBuyer())
    expect((await pay(purchase.data)).body.status).toBe('succeeded')
    await until('The card purchase', async () => (await readPurchase(purchase)).fulfillment_status === 'COMPLETED')
  },
  async sale() {
    const account = await makeAccount()
    const purchase = await buy(listings.voucher, { eth_address: account.address })
    expect((await sendVoucher(chain, account, purchase.data)).status).toBe('success')
    await until('The voucher purchase', async () => (await readPurchase(purchase)).fulfillment_status === 'COMPLETED')
  },
}

/** Everything at once until it is ended; then all that was begun is delivered. */
function load() {
  let isOver = false
  const failures: unknown[] = []
  const actors = Object.entries(LOAD).map(async ([kind, act]) => {
    while (!isOver && failures.length === 0) {
      await act()
      delivered[kind as keyof typeof delivered]++
    }
  })
  const ended = Promise.all(actors.map((actor) => actor.catch((error: unknown) => failures.push(error))))
  return {
    /** Waits until one more of each kind was delivered that was asked for from now on. */
    async more() {
      const before = { ...delivered }
      const isMore = () =>
        Object.entries(before).every(([kind, count]) => delivered[kind as keyof typeof before] >= count + 1)
      await until('More of everything', () => failures.length > 0 || isMore())
      expect(failures).toEqual([])
    },
    async end() {
      isOver = true
      await ended
      expect(failures).toEqual([])
    },
  }
}

const minted = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)')

/** Expects that our transactions used every nonce of the operator exactly once. */
async function expectNoNonceGap(operator: Address): Promise<number> {
  const rows = await organization.ctx.db.transaction.findMany({
    where: { operator, nonce: { not: null } },
    orderBy: { nonce: 'asc' },
  })
  expect(rows.map(({ nonce }) => nonce)).toEqual(rows.map((_, at) => at))
  expect(await chain.client.getTransactionCount({ address: operator })).toBe(rows.length)
  return rows.length
}

test('operator and voucher signer are replaced while everything is minted, given and sold: nothing is lost or doubled, and the earlier operator’s key may go', async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  await spawnWeb({ env: env as never }, { port })
  const workers = [1, 2].map(() => spawnWorker({ env: env as never }, { env: { ORIGIN: origin } }))
  const going = load()
  await going.more()
  const early = await makeVoucher()

  const rotation = ['--from', oldOperator, '--to', newOperator]
  const printed = await Promise.all([command('rotate-operator', ...rotation), command('rotate-signer')])
  for (const text of printed) expect(text).toContain('2 transactions were opened')
  await until('The new minter and signer', async () => {
    const rows = await organization.ctx.db.collection.findMany({ select: { id: true, minter: true, signer: true } })
    return rows.every(({ id, minter, signer }) => minter === newOperator && signer === ports().keys.voucherSigner(id))
  })
  await going.more()
  expect(await command('rotate-operator', ...rotation, '--withdraw')).toContain('has to stay in OPERATOR_KEYS')
  await until('The end of the old operator', async () =>
    (await command('rotate-operator', ...rotation, '--withdraw')).includes(
      `Nothing needs the key of ${oldOperator} any more`,
    ),
  )
  await going.more()
  await early.use() // by the earlier signer, which keeps its role while its vouchers may be valid
  expect(await command('rotate-signer', '--withdraw')).toContain('vouchers of its earlier signer may be valid until')
  for (const worker of workers) expect(await worker.stop()).toEqual({ code: 0, signal: null })

  const without = { ORIGIN: origin, OPERATOR_KEYS: newKey }
  spawnWorker({ env: env as never }, { env: without })
  replacePorts({ keys: envKeyring([newKey as Hex], () => [NEW_VOUCHERS, OLD_VOUCHERS]) })
  await going.more()
  await going.end()

  const logs = await chain.client.getLogs({
    address: drops.contract,
    event: minted,
    args: { from: zeroAddress },
    fromBlock: 0n,
  })
  expect(logs).toHaveLength(delivered.mint + delivered.gift + delivered.voucher + 1)
  expect(new Set(logs.map(({ args }) => args.id)).size).toBe(logs.length)
  // A receipt completes a purchase; the indexer counts its tokens.
  const countSold = async () =>
    (await organization.ctx.db.item.findMany({ where: { id: { in: editions.itemIds } }, orderBy: { id: 'asc' } })).map(
      (item) => Number(item.minted),
    )
  const isSold = [delivered.card, delivered.sale]
  await until('The index of what was sold', async () => (await countSold()).join() === isSold.join())
  await until('The agreement of books and chain', async () => (await verifyRecords(systemContext('test'))).length === 0)
  for (const operator of [oldOperator, newOperator]) expect(await expectNoNonceGap(operator)).toBeGreaterThan(3)
  expect(await systemContext('test').db.alarm.findMany({ where: { resolvedAt: null } })).toEqual([])
  expect(await systemContext('test').db.rowTry.count()).toBe(0)
})
