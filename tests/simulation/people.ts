import { encodeFunctionData, numberToHex, type Address, type Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { claimTokenOf } from '../../lib/giving/claim-token.ts'
import { vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { encodeTransferWithSignature, signedTransferTypedData } from '../../lib/core/contracts/signed-transfers.ts'
import { encodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import { handleSandboxRequest } from '../../lib/ports/sandbox-cards/provider.ts'
import { addPins } from '../support/redeemable-claims.ts'
import { termsOf } from '../support/voucher-terms.ts'
import { holdingsOf } from './chain/model-contract.ts'
import { NETWORK_ID, type SimulatedNetwork } from './network.ts'
import { randomOf, type Random } from './random.ts'
import { currentActor, type Process, type Scheduler } from './scheduler.ts'
import type { Shop } from './set-up.ts'
import type { Swarm } from './swarm.ts'
import { wait } from './wait.ts'
import type { Web, WebAnswer } from './web.ts'

/** Something that somebody asked for: each for an address of its own, but for what our operator keeps. */
export type Promised = {
  kind: 'free' | 'card' | 'voucher' | 'claim' | 'mint'
  address: Address
  /** Of the purchase, the claim or the mint request. null: no answer came, so it may have been made or not. */
  id: string | null
}

type Parts = { seed: number; scheduler: Scheduler; web: Web; shop: Shop; network: SimulatedNetwork; swarm: Swarm }

type Call = { what: string; data: Hex; value?: bigint }

/** How often somebody looks whether a token has arrived. */
const MOST_LOOKS = 12

export type People = ReturnType<typeof makePeople>

/** Buyers, recipients and an admin. What each of them does is a story; the scheduler decides when one begins. */
export function makePeople({ seed, scheduler, web, shop, network, swarm }: Parts) {
  const world: Process = { name: 'people', isAlive: true }
  const promised: Promised[] = []
  const purchases: { id: string; secret: string }[] = []
  const claims: string[] = []
  let items = [...shop.itemIds]
  /** When those who wait until the last moment act. */
  const late: number[] = []
  let keys = 0
  const { key } = shop.organization

  const accounts = new Map<string, PrivateKeyAccount>()
  const makeAccount = () => {
    const bytes = Buffer.alloc(32, 0)
    randomOf('account', seed, ++keys).fill(bytes)
    const account = privateKeyToAccount(`0x${bytes.toString('hex')}`)
    accounts.set(account.address, account)
    return account
  }
  const takeItem = (): string | null => {
    const item = items.at(-1) ?? null
    items = items.slice(0, -1)
    return item
  }
  /** Notes what was asked for, unless it was refused. */
  function noteAsked(what: Omit<Promised, 'id'>, answer: WebAnswer | null, idOf: () => string): void {
    if (!answer) promised.push({ ...what, id: null })
    else if (answer.status === 201) promised.push({ ...what, id: idOf() })
  }
  const patience = (random: Random) => wait(100 + random.below(random.pick([500, 3_000, 20_000])))
  const keyOf = (random: Random): string =>
    `key-${numberToHex(random.below(2 ** 32))}-${random.below(2 ** 32)}-simulated`

  /** Waits until shortly before a time. */
  async function untilNearly(ms: number, random: Random): Promise<void> {
    const at = ms - random.below(15_000)
    late.push(at)
    await wait(Math.max(1, at - Date.now()))
  }

  async function purchase(kind: 'free' | 'card' | 'voucher', random: Random) {
    const account = makeAccount()
    const answer = await web.insist('POST', '/public/v1/purchase-intents', {
      body: { listing_id: shop.listings[kind], buyer: { eth_address: account.address } },
      idempotencyKey: keyOf(random),
    })
    noteAsked({ kind, address: account.address }, answer, () => answer!.body.id)
    if (answer?.status !== 201) return null
    purchases.push(answer.body)
    return { account, ...answer.body } as { account: typeof account; id: string; secret: string; data: any }
  }

  const cancel = ({ id, secret }: { id: string; secret: string }) =>
    web.ask('DELETE', `/public/v1/purchase-intents/${id}?secret=${secret}`, {})

  const stories: Record<string, (random: Random) => Promise<unknown>> = {
    'buys for nothing': (random) => purchase('free', random),

    async 'buys by card'(random) {
      const bought = await purchase('card', random)
      if (!bought?.data?.client_secret) return
      await patience(random)
      const { client_secret, publishable_key } = bought.data as { client_secret: string; publishable_key: string }
      const pay = async () => {
        await scheduler.ask(currentActor()!, 'pays by card')
        await handleSandboxRequest(
          new Request(`http://localhost/v1/payment_intents/${client_secret.split('_secret_')[0]}/confirm`, {
            method: 'POST',
            body: new URLSearchParams({ client_secret, key: publishable_key, payment_method: 'pm_card_visa' }),
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          }),
        )
      }
      const choice = random.next()
      if (choice < 0.1) return cancel(bought)
      if (choice < 0.2) return Promise.all([pay(), cancel(bought)])
      if (choice < 0.95) await pay()
    },

    async 'buys by voucher'(random) {
      const bought = await purchase('voucher', random)
      if (!bought?.data?.voucher) return
      await patience(random)
      const choice = random.next()
      if (choice < 0.15) return cancel(bought)
      if (choice < 0.25) return
      if (choice < 0.6) await untilNearly(Number(bought.data.voucher.expiry) * 1000, random)
      await sendVoucher(bought.account, bought.data)
    },

    async 'gives a claim'(random) {
      const itemId = takeItem()
      if (itemId) await give(itemId, random)
    },

    async 'asks for a mint'(random) {
      const itemId = takeItem()
      if (itemId) await mint(itemId, makeAccount().address, random)
    },

    async 'keeps a token'(random) {
      const itemId = takeItem()
      if (!itemId || !(await mint(itemId, shop.operator, random)) || !(await isKept(itemId))) return
      await (random.chance(0.5) ? mint(itemId, makeAccount().address, random) : give(itemId, random))
    },

    async 'sends a token'(random) {
      // Tokens come late in a storm, whose stories begin early.
      for (let looks = 0; looks < MOST_LOOKS; looks++) {
        await wait(1_000 + random.below(5_000))
        await scheduler.ask(currentActor()!, 'looks for a token to send')
        const contract = network.chain.head().state.contracts[shop.contract]
        const own = contract ? holdingsOf(contract).filter(([, holder]) => accounts.has(holder)) : []
        if (own.length > 0) return sendToken(random.pick(own), random)
      }
    },

    async 'revokes a claim'(random) {
      if (claims.length > 0) await web.ask('DELETE', `/v1/email-claims/${random.pick(claims)}`, { key })
    },

    async 'refunds a purchase'(random) {
      if (purchases.length === 0) return
      const { id } = random.pick(purchases)
      await web.insist('POST', `/v1/purchase-intents/${id}/refund`, { key, body: {}, idempotencyKey: keyOf(random) })
    },

    async 'cancels a purchase'(random) {
      if (purchases.length > 0) await cancel(random.pick(purchases))
    },

    async 'cancels a transaction'(random) {
      const list = await web.ask('GET', '/v1/transactions?limit=10', { key })
      const rows = (list?.body?.results ?? []) as { id: string; state: string }[]
      const open = rows.filter(({ state }) => state === 'PENDING' || state === 'SUBMITTED')
      if (open.length > 0) await web.ask('POST', `/v1/transactions/${random.pick(open).id}/cancel`, { key, body: {} })
    },
  }

  async function mint(item_id: string, to_address: Address, random: Random): Promise<boolean> {
    const asked = await web.insist('POST', '/v1/mint-requests', {
      key,
      body: { item_id, to_address },
      idempotencyKey: keyOf(random),
    })
    noteAsked({ kind: 'mint', address: to_address }, asked, () => asked!.body.mint_requests[0].id)
    return asked?.status === 201
  }

  async function give(item_id: string, random: Random): Promise<void> {
    const given = await web.insist('POST', '/v1/email-claims', {
      key,
      body: { email: `recipient-${++keys}@example.com`, item_id },
      idempotencyKey: keyOf(random),
    })
    if (given?.status !== 201) return
    const { id } = given.body as { id: string }
    claims.push(id)
    await patience(random)
    await redeem(id, item_id, random)
  }

  /** Whether a token that was minted to our operator is in custody in the end. */
  async function isKept(itemId: string): Promise<boolean> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      await wait(3_000)
      const holds = await web.ask('GET', `/v1/items/${itemId}/holds`, { key })
      if (!holds?.body?.kept_by) continue
      scheduler.count('token in custody')
      return true
    }
    return false
  }

  async function redeem(id: string, itemId: string, random: Random): Promise<void> {
    const { address } = makeAccount()
    promised.push({ kind: 'claim', address, id })
    const path = `/public/v1/email-claims/${claimTokenOf({ id, generation: 1 })}`
    await scheduler.ask(currentActor()!, 'reads the mail with the PIN')
    const pinned = await addPins(shop.organization, [{ id, itemId }]).catch(() => [])
    if (!pinned[0]) return
    const attempt = () => web.insist('POST', `${path}/redeem`, { body: { pin: pinned[0]!.pin, address } })
    await (random.chance(0.2) ? Promise.all([attempt(), attempt()]) : attempt())
  }

  /** A wallet sends a voucher's mint, as often as it likes. */
  async function sendVoucher(account: ReturnType<typeof makeAccount>, entry: any): Promise<void> {
    const terms = termsOf(entry)
    const data = encodeMintWithVoucher(terms, entry.signature as Hex)
    await sendCall(account, { what: 'sends a voucher', data, value: terms.price * terms.quantity })
  }

  /** A wallet sends a call to the collection’s contract. */
  async function sendCall(account: PrivateKeyAccount, { what, data, value = 0n }: Call): Promise<void> {
    await scheduler.ask(currentActor()!, what)
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: NETWORK_ID,
      nonce: network.chain.head().state.nonces[account.address] ?? 0,
      to: shop.contract,
      data,
      value,
      gas: 400_000n,
      maxFeePerGas: 500_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
    await network.chain.send(raw, network.chain.head())
  }

  /**
   * A holder signs that a token goes to somebody else, and has it sent. Others may send it as well, and the holder may
   * cancel it.
   */
  async function sendToken([token, from]: [string, Address], random: Random): Promise<void> {
    const holder = accounts.get(from)!
    const deadline = BigInt(Math.floor(Date.now() / 1000) + 70 + random.below(random.pick([30, 600, 80_000])))
    const to = makeAccount().address
    const order = { tokenId: BigInt(token), quantity: 1n, from, to, nonce: BigInt(random.below(2 ** 32)), deadline }
    const typedData = signedTransferTypedData(shop.tokenType, NETWORK_ID, shop.contract, order)
    const signature = await holder.signTypedData(typedData as never)
    const answer = await web.insist('POST', '/public/v1/transfers', {
      body: {
        collection_id: shop.collectionId,
        token_id: token,
        from_address: from,
        to_address: to,
        nonce: String(order.nonce),
        deadline: Number(deadline),
        signature,
      },
    })
    scheduler.count(`transfer: ${answer?.body?.code ?? answer?.status ?? 'no answer'}`)
    await patience(random)
    const choice = random.next()
    if (choice < 0.25)
      await sendCall(makeAccount(), {
        what: 'relays a transfer',
        data: encodeTransferWithSignature(shop.tokenType, order, signature),
      })
    else if (choice < 0.4)
      await sendCall(holder, {
        what: 'cancels a transfer',
        data: encodeFunctionData({ abi: vitrine721Abi, functionName: 'cancelTransferNonce', args: [order.nonce] }),
      })
  }

  const names = Object.keys(stories)
  const WEIGHTS: Record<string, number> = {
    'buys by card': 4,
    'buys by voucher': 3,
    'gives a claim': 3,
    'buys for nothing': 2,
    'sends a token': 2,
  }
  const often = names.flatMap((name) => Array.from({ length: (WEIGHTS[name] ?? 1) * swarm.shareOf(name) }, () => name))
  const drawn = often.length > 0 ? often : names

  return {
    process: world,
    promised: (): readonly Promised[] => promised,
    /** When the first of those acts who wait until the last moment; null where nobody does. */
    nextLate: (): number | null => late.filter((at) => at > Date.now()).sort((a, b) => a - b)[0] ?? null,
    /** Begins a story. */
    begin(random: Random): void {
      const name = random.pick(drawn)
      scheduler.count(`story: ${name}`)
      scheduler.start(world, name, async () => {
        await stories[name]!(currentActor()!.random).catch(() => undefined) // a person gives up
      })
    },
  }
}
