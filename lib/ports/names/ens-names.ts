import { createClient, custom, type Hex, isHex } from 'viem'
import { getEnsAddress } from 'viem/actions'
import { normalize } from 'viem/ens'
import { z } from 'zod'
import { withTimeout } from '../../core/with-timeout.ts'
import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import type { Fetcher } from '../storage/storage.ts'
import type { Names } from './names.ts'

/**
 * The limits of looking one name up. A resolver decides itself how often it asks for something else, so each of these
 * is counted.
 */
const MOST_CALLS = 12
const MOST_FETCHES = 6
const MOST_MS = 12_000
const MOST_CHARACTERS = 255

/**
 * ENS's universal resolver on Ethereum, as viem names it. Its whole list of networks would be loaded for this one
 * address.
 */
const RESOLVER = '0xeeeeeeee14d718c2b47d9923deab1335e144eeee'

type Lookup = { data: Hex; sender: Hex; urls: readonly string[] }
const gatewayAnswer = z.object({ data: z.custom<Hex>((value) => isHex(value)) })

/**
 * ENS by its universal resolver on Ethereum. Names that are kept off-chain (ERC-3668) name gateways of their own
 * choice, which only the guarded fetcher calls: never a private address. What a gateway answers is checked by the
 * name's own contract.
 */
export function ensNames(ethereum: Chain, fetcher: Fetcher): Names {
  return {
    async addressOf(name) {
      const normal = normalName(name)
      if (normal === null) return null
      const state = { calls: 0, fetches: 0, unavailable: null as ChainUnavailable | null }
      const client = createClient({
        transport: custom({ request: callsOf(ethereum, state) }, { retryCount: 0 }),
        ccipRead: { request: (lookup: Lookup) => askGateways(fetcher, lookup, state) },
      })
      const found = await withTimeout(
        getEnsAddress(client, { name: normal, universalResolverAddress: RESOLVER }),
        MOST_MS,
        null,
      )
      if (found === null && state.unavailable) throw state.unavailable
      return found
    },
  }
}

/** As ENSIP-15 writes it; null for what can't be a name. */
function normalName(name: string): string | null {
  if (name.length > MOST_CHARACTERS || !name.includes('.')) return null
  try {
    return normalize(name)
  } catch {
    return null
  }
}

type State = { calls: number; fetches: number; unavailable: ChainUnavailable | null }
type RpcCall = { method: string; params?: unknown }

/** Calls of the contracts, by the nodes of the settings. */
const callsOf =
  (ethereum: Chain, state: State) =>
  async ({ method, params }: RpcCall) => {
    if (++state.calls > MOST_CALLS) throw new Error('This name takes too many calls.')
    const answer = await ethereum.forward(method, (params ?? []) as unknown[]).catch((error: unknown) => {
      if (error instanceof ChainUnavailable) state.unavailable = error
      throw error
    })
    if ('result' in answer) return answer.result
    // viem reads from `data` that a contract asks for something off the chain.
    throw Object.assign(new Error(answer.error.message), { code: answer.error.code, data: answer.error.data })
  }

/** The first usable answer of a contract's gateways, in its order (ERC-3668). */
async function askGateways(fetcher: Fetcher, { data, sender, urls }: Lookup, state: State): Promise<Hex> {
  for (const url of urls) {
    if (!/^https?:/i.test(url)) continue
    if (++state.fetches > MOST_FETCHES) break
    const [from, what] = [sender.toLowerCase(), data]
    const address = url.replaceAll('{sender}', from).replaceAll('{data}', what)
    const posted = url.includes('{data}') ? undefined : JSON.stringify({ data, sender: from })
    const answer = await fetcher.fetchText(address, posted).catch(() => null)
    const given = answer === null ? null : dataIn(answer)
    if (given !== null) return given
  }
  throw new Error('No gateway of this name gives a usable answer.')
}

function dataIn(answer: string): Hex | null {
  try {
    return gatewayAnswer.parse(JSON.parse(answer)).data
  } catch {
    return null
  }
}
