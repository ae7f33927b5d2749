import fc from 'fast-check'
import {
  concat,
  decodeEventLog,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  numberToHex,
  pad,
  toEventSelector,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { expect, test } from 'vitest'
import { CONTRACTS_VERSION, vitrine1155Abi, vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { CAPABILITIES, capabilitiesOf } from '../../lib/core/contracts/capabilities.ts'
import {
  encodeAdminMint1155,
  encodeAdminMint721,
  encodeCloneArgs,
  encodeSetMaxSupply,
  saltOf,
  type CloneTerms,
} from '../../lib/core/contracts/calls.ts'
import { revertReason } from '../../lib/core/contracts/revert-reason.ts'
import {
  decodeTransferWithSignature,
  encodeTransferWithSignature,
  takesSignedTransfers,
  VERSION_BEFORE_SIGNED_TRANSFERS,
} from '../../lib/core/contracts/signed-transfers.ts'
import { TOKEN_LOG_TOPICS, decodeTokenLog } from '../../lib/core/contracts/token-logs.ts'
import { decodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import { movesOf } from '../../lib/onchain/indexer/moves-of.ts'

const alice: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bob: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const terms: CloneTerms = {
  tokenType: 'ERC721',
  collectionId: '01900000-0000-7000-8000-0000000000AB',
  name: 'Genesis',
  symbol: 'GEN',
  owner: alice,
  minter: bob,
  signer: alice,
  maxSupply: null,
  manualIds: false,
  soulbound: true,
  royaltyReceiver: null,
  royaltyBps: 250,
}

test('the same terms give the same bytes, in any letter case of ids and addresses', () => {
  const lower = { ...terms, collectionId: terms.collectionId.toLowerCase(), owner: alice.toLowerCase() as Address }
  expect(encodeCloneArgs(lower)).toBe(encodeCloneArgs(terms))
  expect(saltOf(lower.collectionId)).toBe(saltOf(terms.collectionId))
})

test('terms out of a contract’s bounds are refused', () => {
  expect(() => encodeCloneArgs({ ...terms, maxSupply: 2n ** 64n - 1n })).toThrow('below 2^64 - 1')
  expect(() => encodeCloneArgs({ ...terms, royaltyBps: 10_001 })).toThrow('0 to 10,000')
  expect(() => encodeCloneArgs({ ...terms, collectionId: 'genesis' })).toThrow('Not a UUID')
})

test('one mint is a plain call; several are packed in as few bytes as their ids need', () => {
  const single = encodeAdminMint721([{ to: alice, tokenId: 1n }])
  expect(single).toHaveLength(2 + 2 * (4 + 64))
  const packed = encodeAdminMint721([
    { to: alice, tokenId: 1n },
    { to: bob, tokenId: 256n },
  ])
  expect(packed).toContain(`02${alice.slice(2)}0001${bob.slice(2)}0100`.toLowerCase())
  const packed1155 = encodeAdminMint1155([
    { to: alice, tokenId: 0n, amount: 1n, requestId: 70_000n },
    { to: bob, tokenId: 1n, amount: 300n, requestId: 2n },
  ])
  expect(packed1155).toContain(`010203${alice.slice(2)}000001011170${bob.slice(2)}01012c000002`.toLowerCase())
  expect(() => encodeAdminMint721([])).toThrow('nothing to mint')
})

test('a TransferBatch log is one move per token', () => {
  const topics = encodeEventTopics({
    abi: vitrine1155Abi,
    eventName: 'TransferBatch',
    args: { operator: alice, from: alice, to: zeroAddress },
  }) as `0x${string}`[]
  const data = encodeAbiParameters(
    [{ type: 'uint256[]' }, { type: 'uint256[]' }],
    [
      [4n, 5n],
      [1n, 2n],
    ],
  )
  expect(decodeTokenLog({ topics, data })).toEqual({
    type: 'MOVED',
    moves: [
      { kind: 'BURN', tokenId: 4n, from: alice, to: zeroAddress, quantity: 1n, operator: alice },
      { kind: 'BURN', tokenId: 5n, from: alice, to: zeroAddress, quantity: 2n, operator: alice },
    ],
  })
  const uneven = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [[4n, 5n], [1n]])
  expect(decodeTokenLog({ topics, data: uneven })).toBeNull()
})

test('a move of no units adds nothing, and the others of its log keep their places', () => {
  const topics = encodeEventTopics({
    abi: vitrine1155Abi,
    eventName: 'TransferBatch',
    args: { operator: alice, from: alice, to: bob },
  }) as Hex[]
  const data = encodeAbiParameters(
    [{ type: 'uint256[]' }, { type: 'uint256[]' }],
    [
      [4n, 5n],
      [0n, 2n],
    ],
  )
  const place = { organizationId: 'o', collectionId: 'c', networkId: 1, txHash: '0x01', logIndex: 7, blockNumber: 9n }
  const { moves } = movesOf([{ ...place, blockHash: '0x02', timestamp: new Date(0), topics, data }])
  expect(moves).toMatchObject([{ type: 'TRANSFER', tokenId: '5', quantity: 2n, part: 1 }])
})

test('an ERC-20 transfer, cut data, an unknown topic or no topic decodes to null', () => {
  const transfer = toEventSelector('Transfer(address,address,uint256)')
  expect(decodeTokenLog({ topics: [transfer, pad(alice), pad(bob)], data: pad('0x05') })).toBeNull()
  expect(decodeTokenLog({ topics: [toEventSelector('MintSkipped(uint256)')], data: '0x05' })).toBeNull()
  expect(decodeTokenLog({ topics: [toEventSelector('Paused(address)')], data: '0x' })).toBeNull()
  expect(decodeTokenLog({ topics: [], data: '0x' })).toBeNull()
})

test('a transfer of one token that is read by its places is the one that viem decodes', () => {
  const single = toEventSelector('TransferSingle(address,address,address,uint256,uint256)')
  const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => numberToHex(value, { size: 32 }))
  fc.assert(
    fc.property(fc.array(word, { minLength: 5, maxLength: 5 }), (words) => {
      const [first, second, third, fourth, fifth] = words as [Hex, Hex, Hex, Hex, Hex]
      const transfer = toEventSelector('Transfer(address,address,uint256)')
      const of721 = decodeEventLog({ abi: vitrine721Abi, topics: [transfer, first, second, third], data: '0x' })
      const data = concat([fourth, fifth])
      const of1155 = decodeEventLog({ abi: vitrine1155Abi, topics: [single, first, second, third], data })
      const { from, to, id } = of721.args as { from: Address; to: Address; id: bigint }
      expect(decodeTokenLog({ topics: [transfer, first, second, third], data: '0x' })).toMatchObject({
        moves: [{ from, to, tokenId: id, quantity: 1n, operator: null }],
      })
      const many = of1155.args as { operator: Address; from: Address; to: Address; id: bigint; amount: bigint }
      expect(decodeTokenLog({ topics: [single, first, second, third], data })).toMatchObject({
        moves: [{ from: many.from, to: many.to, tokenId: many.id, quantity: many.amount, operator: many.operator }],
      })
    }),
  )
  expect(decodeTokenLog({ topics: [single, pad(alice), pad(bob), pad(bob)], data: pad('0x05') })).toBeNull()
})

test('every event of our contracts is followed, except approvals, Locked and ContractURIUpdated', () => {
  const names = [...vitrine721Abi, ...vitrine1155Abi].filter((part) => part.type === 'event')
  const followed = names.filter((event) => TOKEN_LOG_TOPICS.includes(toEventSelector(event))).map((event) => event.name)
  const others = names.map((event) => event.name).filter((name) => !followed.includes(name))
  expect(new Set(others)).toEqual(new Set(['Approval', 'ApprovalForAll', 'ContractURIUpdated', 'Locked']))
})

test('revert data becomes a sentence', () => {
  expect(revertReason(encodeErrorResult({ abi: vitrine721Abi, errorName: 'WrongPayment', args: [5n] }))).toBe(
    'The payment must be exactly the voucher’s price.',
  )
  const text = encodeErrorResult({
    abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }],
    errorName: 'Error',
    args: ['out of stock'],
  })
  expect(revertReason(text)).toBe('The contract refused: out of stock.')
  expect(revertReason('0x7939f424')).toContain('payment token')
  expect(revertReason('0xdeadbeef')).toBe('The contract refused with the error 0xdeadbeef.')
  expect(revertReason('0x08c379a0')).toBe('The contract refused without giving a reason.')
  expect(revertReason(null)).toBe('The contract refused without giving a reason.')
})

test.each(['ERC721', 'ERC1155'] as const)(
  'a signed transfer of %s is read back from its call, and from no other',
  (type) => {
    const transfer = { tokenId: 1n, quantity: 1n, from: alice, to: bob, nonce: 2n ** 256n - 1n, deadline: 3n }
    const call = encodeTransferWithSignature(type, transfer, '0x1234')
    expect(decodeTransferWithSignature(type, call)).toEqual({ transfer, signature: '0x1234' })
    expect(decodeTransferWithSignature(type === 'ERC721' ? 'ERC1155' : 'ERC721', call)).toBeNull()
    expect(decodeTransferWithSignature(type, encodeSetMaxSupply(1n))).toBeNull()
    expect(decodeTransferWithSignature(type, '0x')).toBeNull()
  },
)

test('collections of contracts of 0.1.0, foreign ones and soulbound ones take no signed transfers', () => {
  const collection = { contractVersion: CONTRACTS_VERSION, soulbound: false }
  expect(takesSignedTransfers(collection)).toBe(true)
  expect(takesSignedTransfers({ ...collection, contractVersion: VERSION_BEFORE_SIGNED_TRANSFERS })).toBe(false)
  expect(takesSignedTransfers({ ...collection, contractVersion: null })).toBe(false)
  expect(takesSignedTransfers({ ...collection, soulbound: true })).toBe(false)
  expect(capabilitiesOf('ERC721', collection)).toContain('TRANSFER_WITH_SIGNATURE')
  const earlier = { ...collection, contractVersion: VERSION_BEFORE_SIGNED_TRANSFERS }
  expect(capabilitiesOf('ERC721', earlier)).not.toContain('TRANSFER_WITH_SIGNATURE')
})

test('call data other than a voucher mint decodes to null', () => {
  expect(decodeMintWithVoucher(encodeSetMaxSupply(1n))).toBeNull()
  expect(decodeMintWithVoucher('0x')).toBeNull()
  expect(decodeMintWithVoucher('0x12345678')).toBeNull()
})

test('capabilities follow the token type, and each names its functions', () => {
  const unique = capabilitiesOf('ERC721', { contractVersion: CONTRACTS_VERSION, soulbound: false })
  expect(unique).toContain('ADMIN_MINT_MULTIPLE')
  expect(unique).not.toContain('ERC1155')
  expect(unique).not.toContain('SOULBOUND')
  const bound = capabilitiesOf('ERC1155', { contractVersion: CONTRACTS_VERSION, soulbound: true })
  expect(bound).toEqual(expect.arrayContaining(['ERC1155', 'SOULBOUND']))
  expect(bound).not.toContain('ERC721_METADATA')
  for (const functions of Object.values(CAPABILITIES)) expect(functions.length).toBeGreaterThan(0)
  expect(CAPABILITIES.ADMIN_MINT_SINGLE).toHaveLength(2)
  expect(CAPABILITIES.TRANSFER_WITH_SIGNATURE).toHaveLength(5)
  expect(CAPABILITIES.MINT_VOUCHER.map((part) => part.name)).toContain('mintWithVoucher')
})
