import { hexToNumber, type RpcBlock } from 'viem'
import { HOUR, MINUTE } from '../../../lib/core/clock.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'
import { type NetworkNodes, networksOf } from '../networks.ts'
import { remedyFor } from '../remedy.ts'

const LATE_SECONDS = 5 * MINUTE
const STOPPED_SECONDS = HOUR

/** Every node of every network: whether it answers, its chain, its latest block, and whether it knows what is final. */
export const nodes: Check = {
  name: 'nodes',
  run: async (subject) => (await Promise.all(networksOf(subject).map((each) => findingsOf(subject, each)))).flat(),
}

type Node = NetworkNodes['nodes'][number]

async function findingsOf(subject: Subject, { network, nodes }: NetworkNodes): Promise<Finding[]> {
  const looked = await Promise.all(nodes.map(async (node) => ({ node, found: await lookAt(subject, network, node) })))
  const answers = looked.some(({ found }) => 'findings' in found)
  return looked.flatMap(({ node, found }) => {
    if ('findings' in found) return found.findings
    const remedy = remedyFor(found.error, 'See that the URL in RPC_URLS is right and the node runs, or take it out.')
    // One node that is down holds nothing up while another of its network answers.
    return [(answers ? warning : wrong)(node.name, `The node does not answer: ${subject.quote(found.error)}`, remedy)]
  })
}

async function lookAt(
  subject: Subject,
  network: NetworkNodes['network'],
  { name, rpc }: Node,
): Promise<{ findings: Finding[] } | { error: unknown }> {
  try {
    const chainId = Number(await rpc('eth_chainId', []))
    const block = async (at: string) => (await rpc('eth_getBlockByNumber', [at, false])) as RpcBlock | null
    return { findings: await judge(subject, network, { name, chainId, latest: await block('latest'), block }) }
  } catch (error) {
    return { error }
  }
}

type Answers = {
  name: string
  chainId: number
  latest: RpcBlock | null
  block: (at: string) => Promise<RpcBlock | null>
}

async function judge(
  { now, quote }: Subject,
  network: NetworkNodes['network'],
  { name, chainId, latest, block }: Answers,
): Promise<Finding[]> {
  if (chainId !== network.id)
    return [
      wrong(
        name,
        `The node is of the chain ${chainId}, not of ${network.id}. It is never used.`,
        'Correct its URL or its network’s number in RPC_URLS.',
      ),
    ]
  if (!latest)
    return [wrong(name, 'The node has no block yet.', 'Wait until it has read the chain, or use another one.')]
  if (network.finality === 'never') return [ok(name, `Block ${hexToNumber(latest.number!)}.`)]
  return [
    ageFinding(name, latest, now()),
    ...(network.finality === 'tag' ? [await finalFinding(name, block, quote)] : []),
  ]
}

function ageFinding(name: string, latest: RpcBlock, now: Date): Finding {
  const seconds = Math.round(now.getTime() / 1000 - hexToNumber(latest.timestamp))
  const detail = `Its latest block ${hexToNumber(latest.number!)} is ${seconds} s old.`
  const remedy = 'See whether the node still follows its chain, or use another one.'
  if (seconds > STOPPED_SECONDS) return wrong(name, detail, remedy)
  return seconds > LATE_SECONDS ? warning(name, detail, remedy) : ok(name, detail)
}

async function finalFinding(
  name: string,
  block: (at: string) => Promise<RpcBlock | null>,
  quote: Subject['quote'],
): Promise<Finding> {
  const remedy =
    'Refunds and other final steps wait meanwhile. Use a node that knows the block tag “finalized”, or, where the network has none, list it in FINAL_BY_DEPTH.'
  try {
    const final = await block('finalized')
    if (final) return ok(name, `Block ${hexToNumber(final.number!)} is final.`)
    return wrong(name, 'The node knows no final block.', remedy)
  } catch (error) {
    return wrong(name, `The node can’t say what is final: ${quote(error)}`, remedy)
  }
}
