import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'
import { askAny, type NetworkNodes, networksOf } from '../networks.ts'

/** Whether our contracts are on each network, where CONTRACTS says. */
export const contracts: Check = {
  name: 'contracts',
  run: async (subject) => (await Promise.all(networksOf(subject).map((each) => findingsOf(subject, each)))).flat(),
}

async function findingsOf({ quote }: Subject, nodes: NetworkNodes): Promise<Finding[]> {
  const { id, name, contracts } = nodes.network
  if (!contracts)
    return [
      warning(
        name,
        'CONTRACTS has nothing for this network, so no collection can be deployed there.',
        `Run npm run deploy-contracts -- ${id}, and set CONTRACTS to what it prints.`,
      ),
    ]
  const named = Object.entries(contracts)
  try {
    const codes = await askAny(nodes, (rpc) =>
      Promise.all(named.map(([, address]) => rpc('eth_getCode', [address, 'latest']))),
    )
    const missing = named.filter((_, at) => typeof codes[at] !== 'string' || codes[at] === '0x')
    if (missing.length === 0) return [ok(name, 'Factory and implementations are there.')]
    return missing.map(([what, address]) =>
      wrong(
        name,
        `There is no contract at ${address} (${what}).`,
        `Run npm run deploy-contracts -- ${id}, and set CONTRACTS to what it prints.`,
      ),
    )
  } catch (error) {
    return [warning(name, `The contracts can’t be looked for: ${quote(error)}`, 'Mend the network’s nodes first.')]
  }
}
