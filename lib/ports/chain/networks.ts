import { isAddress, getAddress, type Address } from 'viem'
import type { Network } from './chain.ts'
import known from './known-networks.json' with { type: 'json' }

export const ETHEREUM = 1
const LOCAL = 31337

/**
 * The facts that viem knows of each network (npm run known-networks), by its id. viem's own module has seven hundred
 * files, which would take a process 50 MB of memory.
 */
const KNOWN: Readonly<Record<string, Pick<Network, 'name' | 'testnet' | 'explorerUrl' | 'currency'>>> = known

/**
 * The networks of this installation: those with an RPC URL. `finalByDepth` names those whose nodes know no final block.
 * Throws an Error that names the setting that can't be read.
 */
export function networksFromEnv(
  rpcUrls: string,
  contracts: string,
  finalByDepth: readonly string[] = [],
): { network: Network; rpcUrls: string[] }[] {
  const unknown = finalByDepth.find((id) => !/^\d+$/.test(id))
  if (unknown !== undefined) throw new Error(`FINAL_BY_DEPTH: "${unknown}" is no network id.`)
  const ours = new Map(entriesOf('CONTRACTS', contracts))
  return entriesOf('RPC_URLS', rpcUrls).map(([id, urls]) => {
    for (const url of urls)
      if (!URL.canParse(url)) throw new Error(`RPC_URLS: network ${id} has an address that is no URL.`)
    const network = networkOf(id, contractsOf(id, ours.get(id)))
    const isFinalByDepth = network.finality === 'tag' && finalByDepth.includes(String(id))
    return { network: isFinalByDepth ? { ...network, finality: 'depth' } : network, rpcUrls: urls }
  })
}

/** `1=a,b;137=c` as pairs of network id and values. */
function entriesOf(setting: string, text: string): [number, string[]][] {
  const entries = text
    .split(';')
    .map((entry) => entry.trim())
    .filter(Boolean)
  return entries.map((entry) => {
    const at = entry.indexOf('=')
    const id = Number(entry.slice(0, at))
    const values = entry
      .slice(at + 1)
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean)
    if (at < 1 || !Number.isSafeInteger(id) || id < 1 || values.length === 0)
      throw new Error(`${setting}: "<network id>=<value>,<value>" is expected.`)
    return [id, values]
  })
}

function contractsOf(id: number, addresses: string[] | undefined): Network['contracts'] {
  if (!addresses) return null
  const [factory, implementation721, implementation1155] = addresses.map((address): Address => {
    if (!isAddress(address, { strict: false }))
      throw new Error(`CONTRACTS: network ${id} has something that is no address.`)
    return getAddress(address)
  })
  if (!factory || !implementation721 || !implementation1155)
    throw new Error(`CONTRACTS: network ${id} needs factory, ERC-721 and ERC-1155 implementation.`)
  return { factory, implementation721, implementation1155 }
}

function networkOf(id: number, contracts: Network['contracts']): Network {
  if (id === LOCAL) return { ...LOCAL_NETWORK, contracts }
  const definition = KNOWN[id]
  if (!definition) throw new Error(`RPC_URLS: no network with the id ${id} is known.`)
  return {
    id,
    ...definition,
    confirmations: id === ETHEREUM ? 12 : 30,
    reorgWindow: 128,
    finality: 'tag',
    contracts,
  }
}

/** The sandbox's chain. A SIGKILL can make it lose its last blocks permanently, so nothing on it is ever final. */
const LOCAL_NETWORK: Omit<Network, 'contracts'> = {
  id: LOCAL,
  name: 'Local',
  testnet: true,
  confirmations: 1,
  reorgWindow: 64,
  finality: 'never',
  explorerUrl: null,
  currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
}
