import type { Address } from 'viem'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { TokenType } from '../../lib/core/contracts/calls.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { appClient, publicClient, systemClient } from '../../lib/db/client.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { submitNext } from '../../lib/onchain/transactions/submit-next.ts'
import { newWatch, watchSubmitted } from '../../lib/onchain/transactions/watch-submitted.ts'
import type { Chain, Network } from '../../lib/ports/chain/chain.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { networksFromEnv } from '../../lib/ports/chain/networks.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { connectSandbox } from '../../lib/selling/payments/connect-sandbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { clockMs, moveClockTo } from './clock.ts'
import type { DatabaseGate } from './database.ts'
import { BLOCK_MS, NETWORK_ID, NETWORK_SETTINGS, type SimulatedNetwork } from './network.ts'
import { makeCards } from './outside.ts'
import type { Scheduler } from './scheduler.ts'
import type { Swarm } from './swarm.ts'
import type { Web } from './web.ts'

const OPERATOR_KEY = `0x${'0e'.repeat(32)}`
const PAYOUT: Address = '0x9999999999999999999999999999999999999999'
const ITEMS = 20
/** How many units are offered of what is sold. */
const UNITS = 4
const MOST_ROUNDS = 20

/** The chain port of a process that has just started: the product's own adapter, before the simulated nodes. */
export function makeChain(): Chain {
  const [configured] = networksFromEnv(NETWORK_SETTINGS.rpcUrls, NETWORK_SETTINGS.contracts)
  const network: Network = { ...configured!.network, confirmations: 3, reorgWindow: 64 }
  const chain = viemChain(network, configured!.rpcUrls)
  replacePorts({ chains: new Map([[network.id, chain]]) })
  return chain
}

export type Shop = {
  organization: TestOrganization
  tokenType: TokenType
  collectionId: string
  contract: Address
  /** Ours: sends what is to be sent, and keeps tokens that were minted to it. */
  operator: Address
  /** Items that nobody is offered yet. */
  itemIds: string[]
  listings: { free: string; card: string; voucher: string }
}

type Parts = { network: SimulatedNetwork; scheduler: Scheduler; web: Web; gate: DatabaseGate; swarm: Swarm }

/** An organization with a deployed collection, a card account and three listings, made while all is well. */
export async function makeShop({ network, scheduler, web, gate, swarm }: Parts): Promise<Shop> {
  replacePorts({
    keys: envKeyring([OPERATOR_KEY], keyFor('voucher-signer')),
    cards: { inUse: { TEST: makeCards(scheduler), LIVE: null }, known: [makeCards(scheduler)] },
  })
  const chain = makeChain()
  // Prisma begins with its first use.
  for (const client of [appClient(), systemClient(), publicClient()]) await client.$queryRaw`SELECT 1`
  const organization = await makeOrganization()
  await connectSandbox(organization.ctx)
  await organization.ctx.db.organization.updateMany({ where: { id: organization.id }, data: { payoutAddress: PAYOUT } })

  const post = async (url: string, body: object) => {
    const answer = await web.ask('POST', url, { key: organization.key, body })
    if (answer?.status !== 201) throw new Error(`${url} answers ${JSON.stringify(answer)}`)
    return answer.body
  }
  const { tokenType } = swarm
  const collection = await post('/v1/collections', {
    name: 'Simulated',
    deployment_request: { network_id: NETWORK_ID, platform: { symbol: 'SIM', variant: tokenType } },
  })
  const [operator] = ports().keys.operators
  const watch = newWatch()
  const contractOf = () =>
    organization.ctx.db.collection.findFirst({ where: { id: collection.id, deploymentStatus: 'SUCCESS' } })
  const passBlocks = async (count: number) => {
    for (let left = count; left > 0; left--) {
      moveClockTo(clockMs() + BLOCK_MS)
      await network.mineCalmly()
    }
    await gate.setServerClock()
  }
  let found = null
  for (let rounds = 0; !found && rounds < MOST_ROUNDS; rounds++) {
    await passBlocks(1)
    await submitNext(systemContext('set-up'), chain, operator!)
    await watchSubmitted(systemContext('set-up'), chain, watch)
    await indexOnce(systemContext('set-up'), chain)
    found = await contractOf()
  }
  if (!found) throw new Error('The collection was not deployed.')
  // No reorg reaches the deployment.
  await passBlocks(Number(network.habits.finalDepth) + 1)
  await watchSubmitted(systemContext('set-up'), chain, watch)
  await indexOnce(systemContext('set-up'), chain)

  const { item_ids: itemIds } = (await post('/v1/items/bulk', {
    items: Array.from({ length: ITEMS }, (_, at) => ({
      collection_id: collection.id,
      attributes: { title: `Item ${at + 1}` },
    })),
  })) as { item_ids: string[] }
  await post('/v1/items/lock', { item_ids: itemIds, ...(tokenType === 'ERC1155' && { max_supply: UNITS }) })
  // A listing has unique items of the collection, or units of one item.
  const offered = tokenType === 'ERC1155' ? itemIds.splice(0, 3) : []
  const list = async (terms: object): Promise<string> => {
    const what = tokenType === 'ERC1155' ? { item_id: offered.pop() } : { collection_id: collection.id }
    return (await post('/v1/listings', { ...what, quantity_listed: UNITS, ...terms })).id
  }
  return {
    organization,
    tokenType,
    collectionId: collection.id,
    contract: found.contractAddress as Address,
    operator: operator!,
    itemIds,
    listings: {
      free: await list({ price: 0, currency: 'USD', payment_providers: ['BETA_FREE_MINT'] }),
      card: await list({ price: 1999, currency: 'USD', payment_providers: ['CARD_PROVIDER'] }),
      voucher: await list({ price: '10000000000000000', currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }),
    },
  }
}
