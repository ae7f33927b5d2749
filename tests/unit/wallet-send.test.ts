import { afterEach, expect, test, vi } from 'vitest'
import { parseTransaction, recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { WalletItemInFull } from '../../components/wallet/items.ts'
import { problemOf, quoteFee, walletInPage } from '../../components/wallet/send/sending-wallet.ts'
import {
  emailProblemOf,
  newOrder,
  refusalSentence,
  signedOf,
  type Terms,
  typedDataOf,
} from '../../components/wallet/send/transfers.ts'
import { decodeTransferWithSignature } from '../../lib/core/contracts/signed-transfers.ts'
import { Problem, Unreachable } from '../../packages/client/src/call.ts'

const key = `0x${'11'.repeat(32)}` as const
const from = privateKeyToAddress(key)
const to = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const item = {
  token_id: '12',
  token_type: 'ERC1155',
  network_id: 31337,
  collection: { contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3' },
} as WalletItemInFull
const network = {
  id: 31337,
  name: 'Local',
  testnet: true,
  currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorerUrl: null,
}
const answers = {
  eth_estimateGas: '0x186a0',
  eth_feeHistory: { baseFeePerGas: ['0x1', '0x3b9aca00'] },
  eth_maxPriorityFeePerGas: '0x3b9aca00',
  eth_getBalance: '0xde0b6b3a7640000',
  eth_getTransactionCount: '0x5',
  eth_sendRawTransaction: `0x${'ab'.repeat(32)}`,
}
afterEach(() => void vi.unstubAllGlobals())

/** Stubs the relay with an answer per method, `undefined` for a refusal; returns the recorded calls. */
function stubRelay(change: Record<string, unknown> = {}) {
  const sent: { method: string; params: any[] }[] = []
  vi.stubGlobal('fetch', async (url: string, init: { body: string }) => {
    expect(url).toBe('/public/v1/relay/31337')
    const call = JSON.parse(init.body) as { method: string; params: unknown[] }
    sent.push(call)
    const result = { ...answers, ...change }[call.method as keyof typeof answers]
    const error = { code: 3, message: 'execution reverted' }
    return Response.json({ jsonrpc: '2.0', id: 1, ...(result === undefined ? { error } : { result }) })
  })
  return sent
}

const order = () => newOrder(item, { from, to, quantity: 2n })

test('each transfer has a nonce of its own, and is over after an hour', () => {
  const [one, other] = [order(), order()]
  expect(one.nonce).not.toBe(other.nonce)
  expect(Number(one.deadline) - Date.now() / 1000).toBeGreaterThan(3500)
  expect(Number(one.deadline) - Date.now() / 1000).toBeLessThan(3700)
})

test('a wallet in the page signs a transfer and sends it by itself; its key never leaves', async () => {
  const sent = stubRelay()
  const wallet = walletInPage(key, item)
  const fee = await quoteFee(31337, from, wallet.usualGas)
  expect(fee).toMatchObject({ maxFeePerGas: 3_000_000_000n, balance: 10n ** 18n })
  expect([fee.about, fee.needed]).toEqual([110_000n * 2_000_000_000n, 110_000n * 3_000_000_000n])
  const signed = order()
  expect(await wallet.pay(signed, fee)).toBe(answers.eth_sendRawTransaction)
  const transaction = parseTransaction(sent.at(-1)!.params[0] as `0x02${string}`)
  expect(transaction).toMatchObject({ chainId: 31337, nonce: 5, to: item.collection.contract, gas: 110_000n })
  const call = decodeTransferWithSignature('ERC1155', transaction.data!)!
  expect(call.transfer).toEqual(signed)
  const typed = typedDataOf(item, signed)
  expect(await recoverTypedDataAddress({ ...typed, signature: call.signature } as never)).toBe(from)
  expect(JSON.stringify(sent)).not.toContain('11'.repeat(32))
})

test('a transaction that would revert, or cost more than there is, isn’t signed', async () => {
  const wallet = walletInPage(key, item)
  const attempt = async (change: Record<string, unknown>) => {
    const sent = stubRelay(change)
    const fee = await quoteFee(31337, from, wallet.usualGas)
    const failure: unknown = await wallet.pay(order(), fee).catch((error: unknown) => error)
    expect(sent.map(({ method }) => method)).not.toContain('eth_sendRawTransaction')
    return problemOf(failure, wallet, network, String)
  }
  expect(await attempt({ eth_estimateGas: undefined })).toMatch(/^The network would turn it down: /)
  expect(await attempt({ eth_getBalance: '0x1' })).toBe(
    'Your wallet needs 0.00033 ETH more for the fee. Nothing was sent.',
  )
})

test('a refusal is said to the holder, not to a program', () => {
  const refused = (code: string, field: string, of = 'transfer_refused') =>
    refusalSentence(new Problem(422, { code: of, detail: 'For programs.', errors: [{ field, code }] }, null))
  expect(refused('not_owner', 'from_address')).toMatch(/^By the network’s word your wallet doesn’t have it any more/)
  expect(refused('expired', 'deadline')).toBe(refused('too_late', 'deadline'))
  expect(refused('quantity', 'quantity')).toBe('For programs.')
  expect(refused('address_cannot_receive', 'to_address', 'address_cannot_receive')).toBe('For programs.')
  const limited = (more: object) =>
    refusalSentence(new Problem(429, { code: 'rate_limited', detail: 'Send it tomorrow.', ...more }, '3600'))
  expect(limited({ reason: 'mailbox_limit' })).toBe('Send it tomorrow.')
  expect(limited({})).toBe('Please wait 60 minutes and try again.')
  expect(refusalSentence(new Unreachable('gone'))).toMatch(/^We can’t be reached right now/)
  const elsewhere = problemOf(new Error('?'), walletInPage(key, item), network, String)
  expect(elsewhere).toBe('It could not be sent. Check your connection and try again.')
})

test('an item goes to an email only where it can be kept and the organization pays, and else it is said what to do', () => {
  const escrow = { to_address: to, days: 30 }
  const unique = { ...item, token_type: 'ERC721', organization: { name: 'The Gallery' } } as WalletItemInFull
  const problem = (of: WalletItemInFull, terms: Partial<Terms>, refusal: string | null = null) =>
    emailProblemOf(of, { signed: true, escrow, ...terms } as Terms, refusal)
  expect(problem(unique, {})).toBeNull()
  expect(problem(item, { escrow: null })).toMatch(/^Only items that exist once .* Send it to an address\.$/)
  expect(problem(unique, { signed: false, escrow: null })).toMatch(/of an older kind.* Send it to an address\.$/)
  expect(problem(unique, { escrow: null })).toMatch(/on this network right now\. Send it to an address\.$/)
  expect(problem(unique, {}, 'It was sent today.')).toBe(
    'It can go to an email only while The Gallery pays the network fee. It was sent today.',
  )
})

test('the email is in the request and not in what is signed', () => {
  const signed = order()
  expect(signedOf(item, signed, { email: null, signature: '0x' })).not.toHaveProperty('email')
  expect(signedOf(item, signed, { email: 'ada@example.com', signature: '0x' })).toMatchObject({
    email: 'ada@example.com',
  })
  expect(
    JSON.stringify(typedDataOf(item, signed), (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toContain('@')
})
