import { describe, expect, test } from 'vitest'
import { broadcastOf, isRateLimit, isRevert, outcomeOf } from '../../lib/ports/chain/refusals.ts'

const refusal = (message: string, code = -32000, data?: unknown) => ({ code, message, data })

describe('a node’s refusal of signed bytes', () => {
  // geth: core/txpool/errors.go, core/error.go, core/types/transaction_signing.go, internal/ethapi/api.go
  test.each([
    ['already known', 'known'],
    ['nonce too low: next nonce 5, tx nonce 4', 'nonce_used'],
    ['replacement transaction underpriced', 'underpriced'],
    ['transaction underpriced: gas tip cap 1, minimum needed 1000000', 'underpriced'],
    ['transaction gas price below minimum: gas tip cap 1, minimum needed 2', 'underpriced'],
    ['max fee per gas less than block base fee: address 0x00, maxFeePerGas: 1, baseFee: 7', 'underpriced'],
    ['insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1', 'no_funds'],
    ['intrinsic gas too low: gas 20999, minimum needed 21000', 'refused'],
    ['insufficient gas for floor data gas cost: have 21000, want 21400', 'refused'],
    ['exceeds block gas limit', 'refused'],
    ['transaction gas limit too high (cap: 16777216, tx: 20000000)', 'refused'],
    ['invalid sender', 'refused'],
    ['invalid chain id for signer: have 1 want 31337', 'refused'],
    ['txpool is full', 'unknown'],
    ['tx fee (1.50 ether) exceeds the configured cap (1.00 ether)', 'unknown'],
    ['future transaction tries to replace pending', 'unknown'],
    ['account limit exceeded', 'unknown'],
    ['in-flight transaction limit reached for delegated accounts', 'unknown'],
    ['nonce too high: address 0x00, tx: 9 state: 4', 'unknown'],
    ['transaction indexing is in progress', 'unknown'],
  ])('geth: "%s" is %s', (message, outcome) => expect(outcomeOf(refusal(message))).toBe(outcome))

  // Erigon: txnprovider/txpool/txpoolcfg/txpoolcfg.go (DiscardReason.String), rpc/jsonrpc/send_transaction.go
  test.each([
    ['INTERNAL_ERROR: existing tx with same hash', 'known'],
    ['ALREADY_EXISTS: already known', 'known'],
    ['INTERNAL_ERROR: could not replace existing tx', 'underpriced'],
    ['fee too low', 'underpriced'],
    ['INTERNAL_ERROR: insufficient funds', 'no_funds'],
    ['intrinsic gas too low', 'refused'],
    ['gas limit too high', 'refused'],
    ['pending sub-pool is full', 'unknown'],
    ['baseFee sub-pool is full', 'unknown'],
    ['spammer', 'unknown'],
    ['rlp too long', 'unknown'],
  ])('Erigon: "%s" is %s', (message, outcome) => expect(outcomeOf(refusal(message))).toBe(outcome))

  // Nethermind: Nethermind.TxPool/AcceptTxResult.cs and TxPoolErrorMessages.cs (older versions answer with the names)
  test.each([
    ['AlreadyKnown', 'known'],
    ['OldNonce, Current nonce: 5, nonce of rejected tx: 4', 'nonce_used'],
    ['FeeTooLow, FeePerGas needs to be higher than 7 to be added to the TxPool.', 'underpriced'],
    ['FeeTooLowToCompete', 'underpriced'],
    ['ReplacementNotAllowed', 'underpriced'],
    ['InsufficientFunds, Account balance: 0, cumulative cost: 1', 'no_funds'],
    ['GasLimitExceeded, Gas limit: 30000000, gas limit of rejected tx: 40000000', 'refused'],
    ['FailedToResolveSender', 'refused'],
    ['failed to recover sender', 'refused'],
    ['InvalidTxChainId: Expected 1, got 31337', 'refused'],
    ['NonceGap, Future nonce. Expected nonce: 5', 'unknown'],
    ['Invalid', 'unknown'],
    ['gas limit reached', 'unknown'],
  ])('Nethermind: "%s" is %s', (message, outcome) => expect(outcomeOf(refusal(message, -32010))).toBe(outcome))

  // Besu: ethereum/api, jsonrpc/internal/response/RpcErrorType.java
  test.each([
    [-32000, 'Known transaction', 'known'],
    [-32001, 'Nonce too low', 'nonce_used'],
    [-32000, 'Replacement transaction underpriced', 'underpriced'],
    [-32009, 'Gas price below configured minimum gas price', 'underpriced'],
    [-32004, 'Upfront cost exceeds account balance', 'no_funds'],
    [-32003, 'Intrinsic gas exceeds gas limit', 'refused'],
    [-32005, 'Transaction gas limit exceeds block gas limit', 'refused'],
    [-32000, 'Wrong chainId', 'refused'],
    [-32002, 'Invalid signature', 'refused'],
    [-32000, 'Transaction fee cap exceeded', 'unknown'],
    [-32603, 'Internal error', 'unknown'],
  ])('Besu: %i "%s" is %s', (code, message, outcome) => expect(outcomeOf(refusal(message, code))).toBe(outcome))

  // Reth: crates/rpc/rpc-eth-types/src/error (RpcInvalidTransactionError, RpcPoolError). anvil:
  // crates/anvil/src/eth/error.rs
  test.each([
    ['already known', 'known'],
    ['transaction already imported', 'known'],
    ['nonce too low: next nonce 5, tx nonce 4', 'nonce_used'],
    ['max fee per gas less than block base fee', 'underpriced'],
    ['insufficient funds for gas * price + value: have 0 want 21000', 'no_funds'],
    ['invalid chain ID', 'refused'],
    ['transaction gas limit (20000000) is greater than the cap (16777216)', 'refused'],
    ['exceeds block gas limit', 'refused'],
    ['intrinsic gas too high -- tx.gas_limit > env.block.gas_limit', 'refused'],
    ['txpool is full', 'unknown'],
    ['unknown transaction type', 'unknown'],
  ])('Reth and anvil: "%s" is %s', (message, outcome) => expect(outcomeOf(refusal(message))).toBe(outcome))

  // Providers: Infura, Alchemy, QuickNode, mainnet.base.org, Arbitrum's sequencer
  test.each([
    [-32005, 'daily request count exceeded, request rate limited'],
    [429, 'Your app has exceeded its compute units per second capacity.'],
    [-32007, '50/second request limit reached - reduce calls per second or upgrade your account at quicknode.com'],
    [-32016, 'over rate limit'],
    [-32000, 'sequencer pending tx pool full, please try again'],
    [-32000, 'eth_sendRawTransaction is temporarily disabled'],
    [-32603, 'Internal error'],
  ])('a provider: %i "%s" is unknown', (code, message) => expect(outcomeOf(refusal(message, code))).toBe('unknown'))
})

test('bytes are refused only when every node that answers says something permanent', () => {
  const [permanent, full] = [refusal('intrinsic gas too low'), refusal('txpool is full')]
  expect(broadcastOf([permanent, permanent])?.outcome).toBe('refused')
  expect(broadcastOf([permanent, full])).toEqual({ outcome: 'unknown', detail: 'txpool is full' })
  expect(broadcastOf([full, refusal('already known')])).toEqual({ outcome: 'known' })
  expect(broadcastOf([])).toBeNull()
})

// geth and Erigon: core/vm/errors.go. Nethermind: EvmExceptionType. Besu: ExceptionalHaltReason. Reth:
// RpcInvalidTransactionError.
test.each([
  'execution reverted',
  'invalid jump destination',
  'stack limit reached 1024 (1023)',
  'stack underflow (0 <=> 1)',
  'write protection',
  'invalid opcode: INVALID',
  'out of gas',
  'gas required exceeds allowance (30000000)',
  'return data out of bounds',
  'gas uint64 overflow',
  'max call depth exceeded',
  'VM execution error.',
  'BadInstruction',
  'StackOverflow',
  'StaticCallViolation',
  'Invalid jump destination',
  'Too many stack items',
  'EVM error InvalidFEOpcode',
  'EVM error: StackUnderflow',
  'out of gas: gas exhausted: 30000000',
])('a call that ends with "%s" reverts', (message) => expect(isRevert(refusal(message))).toBe(true))

test.each([
  'execution aborted (timeout = 5s)',
  'header not found',
  'missing trie node 0xabc (path ) state 0xdef is not available',
  'request timed out',
  'Internal error',
  'insufficient funds for gas * price + value',
])('a call refused with "%s" does not revert', (message) => expect(isRevert(refusal(message))).toBe(false))

test('-32005 is a rate limit only where its text says so', () => {
  expect(isRateLimit(refusal('project ID request rate exceeded', -32005))).toBe(true)
  expect(isRateLimit(refusal('Too many request, try again later', -32005))).toBe(true)
  expect(isRateLimit(refusal('query returned more than 10000 results', -32005))).toBe(false)
})
