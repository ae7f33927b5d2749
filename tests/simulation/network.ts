import { randomOf } from './random.ts'
import { currentActor, type Scheduler } from './scheduler.ts'
import type { Swarm } from './swarm.ts'
import { clockMs } from './clock.ts'
import { FACTORY, IMPLEMENTATION_1155, IMPLEMENTATION_721 } from './chain/model-contract.ts'
import { makeModelChain } from './chain/model-chain.ts'
import { makeModelNode, type Request as RpcRequest } from './chain/model-node.ts'

export const NETWORK_ID = 11155111
export const BLOCK_MS = 2_000
const NODES = ['node-1', 'node-2', 'node-3'] as const
const RPC_FAULTS = ['call to a node lost', 'answer of a node lost', 'node too busy']

/** The settings under which the product knows the network. */
export const NETWORK_SETTINGS = {
  rpcUrls: `${NETWORK_ID}=${NODES.map((name) => `http://${name}.simulation/`).join(',')}`,
  contracts: `${NETWORK_ID}=${[FACTORY, IMPLEMENTATION_721, IMPLEMENTATION_1155].join(',')}`,
}

export type SimulatedNetwork = ReturnType<typeof makeNetwork>

/** The chain with its nodes, which answer the product's requests by HTTP. One of them lies. */
export function makeNetwork(seed: number, scheduler: Scheduler, swarm: Swarm) {
  const random = randomOf('network', seed)
  const habits = {
    finalDepth: random.pick([4n, 8n, 16n, 64n]),
    delay: random.pick([0, 0.1, 0.4]),
    outOfGas: random.pick([0, 0.05, 0.3]),
  }
  const chain = makeModelChain(NETWORK_ID, random, habits, BigInt(Math.floor(clockMs() / 1000)))
  const nodes = NODES.map((name) => makeModelNode(name, chain, random))
  // The first node is the one that is asked as long as it answers.
  const liar = random.pick([nodes[0]!, ...nodes])
  const lies = random.pick([0, 0.1, 0.3])
  const reorgs = random.pick([0, 0.1, 0.3])

  async function answer(url: string, init: RequestInit): Promise<Response> {
    const { hostname } = new URL(url)
    const node = nodes.find(({ name }) => `${name}.simulation` === hostname)
    if (!node) throw new TypeError(`Nothing in the simulation answers at ${url}.`)
    const body = JSON.parse(init.body as string) as RpcRequest | RpcRequest[]
    const requests = [body].flat()
    const actor = currentActor()
    const what = `${node.name} ${requests.map(({ method, params }) => `${method}${JSON.stringify(params)}`).join(' ')}`
    const fault = actor ? await scheduler.ask(actor, what, RPC_FAULTS) : null
    if (fault === 'call to a node lost') throw new TypeError('fetch failed')
    if (fault === 'node too busy') return new Response('Too many requests.', { status: 429 })
    const answers = []
    for (const request of requests) answers.push(await node.answer(request))
    if (fault === 'answer of a node lost') throw new TypeError('fetch failed')
    return Response.json(Array.isArray(body) ? answers : answers[0])
  }
  globalThis.fetch = ((url: string | URL | Request, init: RequestInit = {}) =>
    answer(url instanceof Request ? url.url : String(url), init)) as typeof fetch

  async function mine(isCalm: boolean): Promise<void> {
    await chain.mine(BigInt(Math.floor(clockMs() / 1000)), { isCalm })
    if (isCalm) return void nodes.forEach((node) => node.follow(0))
    if (random.chance(reorgs)) {
      const most = random.pick([2, 4, 8, 64])
      const depth = await chain.reorganize(1 + random.below(most))
      if (depth > 0) scheduler.count(depth > 8 ? 'reorg of more than 8 blocks' : 'reorg')
      if (depth > 0) scheduler.note('chain', `reorg of ${depth} blocks`)
    }
    if (random.chance(0.02) && chain.forget(0.5) > 0) scheduler.count('pool forgot')
    for (const node of nodes) {
      if (random.chance(0.15)) scheduler.count('node stood still')
      else node.follow(random.chance(0.1) ? random.below(6) : random.chance(0.5) ? 0 : undefined)
    }
    scheduler.note('chain', `block ${chain.head().number} with ${chain.head().mined.length} transactions`)
  }

  return {
    chain,
    nodes,
    habits,
    /** The next block, and what nodes see of it. */
    mine: () => mine(false),
    /** The same without reorgs, delays and lies; all nodes see it. */
    mineCalmly: () => mine(true),
    startLying: () => liar.lie(lies, swarm.has),
    stopLying(): void {
      for (const node of nodes) node.lie(0, swarm.has)
    },
    countLies(): void {
      for (const [lie, times] of liar.told) for (let at = 0; at < times; at++) scheduler.count(`lie: ${lie}`)
    },
  }
}
