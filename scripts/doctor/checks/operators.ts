import { formatEther, hexToBigInt, type Hex } from 'viem'
import { weiOfGwei } from '../../../lib/core/gas.ts'
import { envKeyring } from '../../../lib/ports/chain/env-keyring.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'
import { askAny, type NetworkNodes, networksOf } from '../networks.ts'

/** Whether each operator can pay for gas on each network. */
export const operators: Check = {
  name: 'operators',
  run: async (subject) => {
    const addresses = addressesOf(subject)
    const lanes = networksOf(subject).flatMap((nodes) => addresses.map((address) => ({ nodes, address })))
    return Promise.all(lanes.map(({ nodes, address }) => findingOf(subject, nodes, address)))
  },
}

function addressesOf({ settings }: Subject): readonly string[] {
  try {
    return envKeyring(settings.OPERATOR_KEYS, new Uint8Array(32)).operators
  } catch {
    return [] // the settings say so
  }
}

async function findingOf({ settings, quote }: Subject, nodes: NetworkNodes, operator: string): Promise<Finding> {
  const { name, currency } = nodes.network
  const subject = `${operator} on ${name}`
  try {
    const balance = hexToBigInt((await askAny(nodes, (rpc) => rpc('eth_getBalance', [operator, 'latest']))) as Hex)
    const floor = weiOfGwei(settings.OPERATOR_FLOOR_GWEI)
    const detail = `It has ${formatEther(balance)} ${currency.symbol}.`
    if (balance === 0n) return wrong(subject, detail, `Send ${currency.symbol} to ${operator}: nothing is sent before.`)
    if (balance >= floor) return ok(subject, detail)
    return warning(
      subject,
      `${detail} That is less than OPERATOR_FLOOR_GWEI (${formatEther(floor)} ${currency.symbol}).`,
      `Send ${currency.symbol} to ${operator}.`,
    )
  } catch (error) {
    return warning(subject, `The balance can’t be read: ${quote(error)}`, 'Mend the network’s nodes first.')
  }
}
