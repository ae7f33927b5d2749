import { expect, test, vi } from 'vitest'
import { parseTransaction, recoverTransactionAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { coins } from '../../components/shared/network.ts'
import { transactionFailed } from '../../components/shared/relay.ts'
import { mintCallOf, quoteMint, sendMint } from '../../components/wallet/voucher.ts'
import { decodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import { makeEntry } from '../support/voucher-terms.ts'

const key = `0x${'11'.repeat(32)}` as const
const minter = privateKeyToAddress(key)
const entry = makeEntry({
  contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  minter,
  voucher: { quantity: 3 },
})
const ether = { currency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }

/** Stubs the relay with an answer per JSON-RPC method; returns the recorded calls. */
function stubRelay(answers: Record<string, unknown>) {
  const sent: { method: string; params: unknown[] }[] = []
  vi.stubGlobal('fetch', async (url: string, init: { body: string }) => {
    expect(url).toBe('/public/v1/relay/31337')
    const call = JSON.parse(init.body) as { method: string; params: unknown[] }
    sent.push(call)
    return Response.json({ jsonrpc: '2.0', id: 1, result: answers[call.method] })
  })
  return sent
}

test('a voucher becomes the contract call with the exact price as its value', () => {
  const call = mintCallOf(entry)
  expect(call.value).toBe(15n)
  expect(call.to).toBe('0x5FbDB2315678afecb367f032d93F642f64180aa3')
  expect(decodeMintWithVoucher(call.data)?.voucher).toMatchObject({
    minter: entry.minter,
    nonce: 7n,
    tokenId: 12n,
    quantity: 3n,
    price: 5n,
  })
})

test('a voucher priced in a token sends no coins', () => {
  expect(mintCallOf({ ...entry, voucher: { ...entry.voucher, currency: entry.contract } }).value).toBe(0n)
})

const network = {
  eth_estimateGas: '0x186a0',
  eth_feeHistory: { baseFeePerGas: ['0x1', '0x3b9aca00'] },
  eth_maxPriorityFeePerGas: '0x3b9aca00',
  eth_getBalance: '0x0',
  eth_getTransactionCount: '0x5',
  eth_sendRawTransaction: `0x${'ab'.repeat(32)}`,
}

test('the quote covers the price and the gas at its maximum fee', async () => {
  stubRelay(network)
  const quote = await quoteMint(entry, minter)
  expect(quote).toMatchObject({ gas: 110_000n, maxFeePerGas: 3_000_000_000n, balance: 0n })
  expect(quote.needed).toBe(110_000n * 3_000_000_000n + 15n)
})

test('the mint is signed locally for its network, and the key is never sent', async () => {
  const sent = stubRelay(network)
  const hash = await sendMint(entry, key, await quoteMint(entry, minter))
  expect(hash).toBe(network.eth_sendRawTransaction)
  const raw = sent.at(-1)!.params[0] as `0x02${string}`
  expect(parseTransaction(raw)).toMatchObject({ chainId: 31337, nonce: 5, to: entry.contract, value: 15n })
  expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(entry.minter)
  expect(JSON.stringify(sent)).not.toContain('11'.repeat(32))
})

test('a transaction counts as failed only by the status of its receipt', async () => {
  for (const [receipt, failed] of [
    [null, false],
    [{ status: '0x1' }, false],
    [{ status: '0x0' }, true],
  ] as const) {
    stubRelay({ eth_getTransactionReceipt: receipt })
    expect(await transactionFailed(31337, `0x${'ab'.repeat(32)}`)).toBe(failed)
  }
})

test('amounts have three digits: costs are rounded up, balances down', () => {
  expect(coins(0n, ether, 'en')).toBe('0 ETH')
  expect(coins(10n ** 18n, ether, 'en')).toBe('1 ETH')
  expect(coins(123_456_789_000_000n, ether, 'en')).toBe('0.000124 ETH')
  expect(coins(123_456_789_000_000n, ether, 'en', 'down')).toBe('0.000123 ETH')
  expect(coins(999_900_000_000_000_000n, ether, 'en')).toBe('1 ETH')
  expect(coins(1n, ether, 'en')).toBe('0.000000000000000001 ETH')
})

test('amounts are written as the page’s language writes them, in Arabic with the digits of addresses', () => {
  expect(coins(123_456_789_000_000n, ether, 'de')).toBe('0,000124 ETH')
  expect(coins(12_340n * 10n ** 18n, ether, 'de')).toBe('12.400 ETH')
  expect(coins(123_456_789_000_000n, ether, 'ar')).toBe('0.000124 ETH')
})
