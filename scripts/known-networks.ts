// npm run known-networks: writes lib/ports/chain/known-networks.json from viem's definitions.
import fs from 'node:fs'
import path from 'node:path'
import * as definitions from 'viem/chains'

type Definition = {
  id: number
  name: string
  testnet?: boolean
  nativeCurrency: { name: string; symbol: string; decimals: number }
  blockExplorers?: { default: { url: string } }
}

/**
 * The facts about each network, by its chain id. Where several of viem's definitions share an id, the first one is
 * used.
 */
export function knownNetworks() {
  const byId = new Map<number, Definition>()
  for (const definition of Object.values(definitions) as Partial<Definition>[])
    if (typeof definition.id === 'number' && definition.nativeCurrency && !byId.has(definition.id))
      byId.set(definition.id, definition as Definition)
  const sorted = [...byId.values()].sort((a, b) => a.id - b.id)
  return Object.fromEntries(
    sorted.map(({ id, name, testnet, nativeCurrency, blockExplorers }) => [
      id,
      {
        name,
        testnet: testnet === true,
        explorerUrl: blockExplorers?.default.url.replace(/\/+$/, '') ?? null,
        currency: {
          name: nativeCurrency.name,
          symbol: nativeCurrency.symbol,
          decimals: nativeCurrency.decimals,
        },
      },
    ]),
  )
}

/** The content of the file: a line for each network. */
export function knownNetworksFile(): string {
  const lines = Object.entries(knownNetworks()).map(([id, network]) => `  "${id}": ${JSON.stringify(network)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

if (import.meta.main)
  fs.writeFileSync(path.resolve(import.meta.dirname, '../lib/ports/chain/known-networks.json'), knownNetworksFile())
