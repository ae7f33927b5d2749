import { numberToHex } from 'viem'
import { createConfig, custom, injected } from 'wagmi'
import { connect } from 'wagmi/actions'
import { beforeEach, expect, test, vi } from 'vitest'
import { chainOf } from '../../components/shared/network.ts'
import { sendVoucher, walletRefusal } from '../../components/wallet/send-voucher.ts'
import { makeEntry } from '../support/voucher-terms.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const network = {
  id: 31337,
  name: 'Local',
  testnet: true,
  currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorerUrl: null,
}
const entry = makeEntry({ minter: account, voucher: { currency: token } })
const hash = `0x${'ab'.repeat(32)}`

type Question = { method: string; params?: unknown[] }

/**
 * A wallet that leaves for another network each time it has sent something. `refuses` answers
 * wallet_switchEthereumChain.
 */
function walletThatLeaves({ refusesToReturn = false } = {}) {
  let current = network.id
  const sent: { to: unknown; network: number }[] = []
  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_chainId: () => numberToHex(current),
    eth_accounts: () => [account],
    eth_requestAccounts: () => [account],
    wallet_requestPermissions: () => [{ caveats: [{ value: [account] }] }],
    wallet_switchEthereumChain: ([wanted]) => {
      if (refusesToReturn) throw Object.assign(new Error('No.'), { code: 4001 })
      current = Number((wanted as { chainId: string }).chainId)
      return null
    },
    // Balance and allowance.
    eth_call: ([call]) => numberToHex((call as { data: string }).data.startsWith('0x70a08231') ? 5 : 0, { size: 32 }),
    eth_sendTransaction: ([call]) => {
      sent.push({ to: (call as { to: unknown }).to, network: current })
      current = 1
      return hash
    },
  }
  const provider = {
    on: () => {},
    removeListener: () => {},
    request: async ({ method, params = [] }: Question) => {
      const answer = answers[method]
      if (!answer) throw new Error(`The wallet was asked ${method}.`)
      return answer(params)
    },
  }
  return { provider, sent }
}

async function connected(provider: ReturnType<typeof walletThatLeaves>['provider']) {
  const config = createConfig({
    chains: [chainOf(network, 'http://localhost:3000')],
    connectors: [injected({ target: { id: 'pocket', name: 'Pocket', provider: () => provider as never } })],
    transports: { [network.id]: custom(provider) },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const connector = config.connectors[0]!
  await connect(config, { connector })
  return { config, from: { connector, address: account } as const }
}

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async () => Response.json({ jsonrpc: '2.0', id: 1, result: { status: '0x1' } }))
})

test('a wallet that changes networks after its permission is asked back before it pays', async () => {
  const { provider, sent } = walletThatLeaves()
  const { config, from } = await connected(provider)
  await expect(sendVoucher(config, from, entry)).resolves.toBe(hash)
  expect(sent).toEqual([
    { to: token, network: network.id },
    { to: entry.contract, network: network.id },
  ])
})

test('a wallet that doesn’t come back pays nothing, and the person is told so', async () => {
  const { provider, sent } = walletThatLeaves({ refusesToReturn: true })
  const { config, from } = await connected(provider)
  const failure = await sendVoucher(config, from, entry).catch((error: unknown) => error)
  expect(walletRefusal(failure, network).key).toBe('closed')
  expect(sent).toEqual([{ to: token, network: network.id }])
})
