import { afterEach, expect, test, vi } from 'vitest'
import { parseTransaction, recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { WalletItemInFull } from '../../components/wallet/items.ts'
import { quoteFee, TooFewCoins, walletInPage, WouldRevert } from '../../components/wallet/send/sending-wallet.ts'
import {
  emailFaultOf,
  newOrder,
  refusalOf,
  signedOf,
  type Terms,
  typedDataOf,
} from '../../components/wallet/send/transfers.ts'
import { decodeTransferWithSignature } from '../../lib/core/contracts/signed-transfers.ts'
import { Problem } from '../../packages/client/src/call.ts'

const key = `0x${'11'.repeat(32)}` as const
const from = privateKeyToAddress(key)
const to = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const item = {
  token_id: '12',
  token_type: 'ERC1155',
  network_id: 31337,
  collection: { contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3' },
} as WalletItemInFull
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
    return failure
  }
  expect(await attempt({ eth_estimateGas: undefined })).toBeInstanceOf(WouldRevert)
  const failure = await attempt({ eth_getBalance: '0x1' })
  expect(failure).toBeInstanceOf(TooFewCoins)
  expect((failure as TooFewCoins).missing).toBe(110_000n * 3_000_000_000n - 1n)
  // An answer that isn’t one says nothing of the transaction.
  expect(await attempt({ eth_estimateGas: 'soon' })).not.toBeInstanceOf(WouldRevert)
})

test('a refusal has a text for the holder; what any call may fail with has none of its own', () => {
  const refused = (code: string, field: string, of = 'transfer_refused') =>
    refusalOf(new Problem(422, { code: of, detail: 'For programs.', errors: [{ field, code }] }, null))
  expect(refused('not_owner', 'from_address')).toBe('not_owner')
  expect(refused('expired', 'deadline')).toBe('overdue')
  expect(refused('too_late', 'deadline')).toBe('overdue')
  expect(refused('quantity', 'quantity')).toBe('reverted')
  expect(refused('address_cannot_receive', 'to_address', 'address_cannot_receive')).toBe('notTaken')
  expect(refused('address_suppressed', 'email', 'address_suppressed')).toBe('mailboxStopped')
  expect(refused('suspended', '', 'suspended')).toBeNull()
  const limited = (more: object) =>
    refusalOf(new Problem(429, { code: 'rate_limited', detail: 'For programs.', ...more }, '3600'))
  expect(limited({ reason: 'mailbox_limit' })).toBe('mailboxLimit')
  expect(limited({})).toBeNull()
})

test('an item goes to an email only where it can be kept and the organization pays', () => {
  const escrow = { to_address: to, days: 30 }
  const unique = { ...item, token_type: 'ERC721' } as WalletItemInFull
  const fault = (of: WalletItemInFull, terms: Partial<Terms>, holderPays = false) =>
    emailFaultOf(of, { signed: true, escrow, ...terms } as Terms, holderPays)
  expect(fault(unique, {})).toBeNull()
  expect(fault(item, { escrow: null })).toBe('several')
  expect(fault(unique, { signed: false, escrow: null })).toBe('oldContract')
  expect(fault(unique, { escrow: null })).toBe('notHere')
  expect(fault(unique, {}, true)).toBe('notPaid')
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
