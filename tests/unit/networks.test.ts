import { expect, test } from 'vitest'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { networksFromEnv } from '../../lib/ports/chain/networks.ts'
import { verifyTypedData } from 'viem'
import { voucherTypedData } from '../../lib/core/contracts/vouchers.ts'
import { makeTerms } from '../support/voucher-terms.ts'

const A = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const B = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const ids = (rpcUrls: string, contracts = '') => networksFromEnv(rpcUrls, contracts).map(({ network }) => network.id)

test('a network with an RPC URL is available; several URLs keep their order', () => {
  const [ethereum, local] = networksFromEnv(
    '1=https://a.example,https://b.example;31337=http://127.0.0.1:8545',
    `31337=${A},${A},${A}`,
  )
  expect(ethereum).toMatchObject({
    rpcUrls: ['https://a.example', 'https://b.example'],
    network: { name: 'Ethereum', testnet: false, confirmations: 12, finality: 'tag', contracts: null },
  })
  expect(local!.network).toMatchObject({
    name: 'Local',
    testnet: true,
    confirmations: 1,
    reorgWindow: 64,
    finality: 'never',
    explorerUrl: null,
  })
  expect(local!.network.contracts!.factory).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  expect(ids('')).toEqual([])
})

test('testnets are marked, and networks without a special rule need 30 confirmations', () => {
  const networks = networksFromEnv('11155111=http://a;8453=http://b;137=http://c', '').map(({ network }) => [
    network.name,
    network.testnet,
    network.confirmations,
  ])
  expect(networks).toEqual([
    ['Sepolia', true, 30],
    ['Base', false, 30],
    ['Polygon', false, 30],
  ])
})

test('invalid settings are refused by name', () => {
  expect(() => ids('1')).toThrow(/RPC_URLS/)
  expect(() => ids('1=')).toThrow(/RPC_URLS/)
  expect(() => ids('x=http://a')).toThrow(/RPC_URLS/)
  expect(() => ids('1=nonsense')).toThrow(/RPC_URLS/)
  expect(() => ids('999999999999=http://a')).toThrow(/no network/)
  expect(() => ids('1=http://a', `1=${A}`)).toThrow(/CONTRACTS/)
  expect(() => ids('1=http://a', '1=x,y,z')).toThrow(/CONTRACTS/)
  expect(() => envKeyring(['abc'], new Uint8Array(32))).toThrow(/OPERATOR_KEYS/)
})

test('each collection has its own stable voucher signer, whose signatures are valid', async () => {
  const keys = envKeyring([], new Uint8Array(32).fill(7))
  const [one, other] = ['0198c2f0-0000-7000-8000-000000000001', '0198c2f0-0000-7000-8000-000000000002'] as const
  expect(keys.voucherSigner(one)).toBe(envKeyring([], new Uint8Array(32).fill(7)).voucherSigner(one))
  expect(
    new Set([
      keys.voucherSigner(one),
      keys.voucherSigner(other),
      envKeyring([], new Uint8Array(32).fill(8)).voucherSigner(one),
    ]).size,
  ).toBe(3)
  const voucher = makeTerms({ minter: A, netRecipient: A, initialRecipient: A, tokenId: 3n, currency: A })
  // Each contract on each network has its own domain.
  const places = [
    [31337, A],
    [1, A],
    [31337, B],
    [31337, A],
  ] as const
  for (const [chainId, contract] of places) {
    const signature = await keys.signVoucher(one, chainId, contract, voucher)
    expect(signature).toHaveLength(132)
    const typed = voucherTypedData(chainId, contract, voucher)
    expect(await verifyTypedData({ address: keys.voucherSigner(one), signature, ...typed })).toBe(true)
  }
})

test('a network that FINAL_BY_DEPTH names is final by depth, the others by their nodes’ word', () => {
  const networks = networksFromEnv('1=http://a;137=http://b;31337=http://c', '', ['137', '31337'])
  expect(networks.map(({ network }) => network.finality)).toEqual(['tag', 'depth', 'never'])
  expect(() => networksFromEnv('1=http://a', '', ['Polygon'])).toThrow('FINAL_BY_DEPTH')
})
