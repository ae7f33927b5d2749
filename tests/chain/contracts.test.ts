import { pad, zeroAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { vitrine1155Abi, vitrine721Abi, vitrineFactoryAbi } from '../../lib/core/contracts/abi.ts'
import {
  cloneAddress,
  cloneCode,
  encodeAdminMint1155,
  encodeAdminMint721,
  encodeAdminMintConsecutive,
  encodeCreate,
  encodeLockBaseUri,
  encodeRefreshMetadata,
  encodeSetBaseUri,
  encodeSetDefaultRoyalty,
  encodeSetMaxSupply,
  encodeSetRoles,
  encodeSetTokenRoyalty,
  encodeTransfer721,
  isReceiverAcceptance,
  encodeReceiverCall,
} from '../../lib/core/contracts/calls.ts'
import { decodeTokenLog, type TokenLog } from '../../lib/core/contracts/token-logs.ts'
import {
  buyer,
  chain,
  cloneOf,
  contractsStage,
  create,
  factory,
  METADATA,
  operator,
  organization,
  read,
  refusal,
  send,
  signer,
  termsOf,
} from '../support/contracts-stage.ts'

contractsStage()

test('a clone has its predicted address and code, and creating it again changes nothing', async () => {
  const royalty = { royaltyReceiver: organization.address, royaltyBps: 750 }
  const terms = termsOf({ name: 'Genesis äöü ✨', symbol: 'GEN', maxSupply: 500n, ...royalty })
  const clone = cloneOf(terms)
  const address = cloneAddress(clone)
  expect(await chain().getCode({ address })).toBeUndefined()
  await send(operator, factory, encodeCreate(clone))
  expect(await chain().getCode({ address })).toBe(cloneCode(clone.implementation, clone.args))
  expect(await read(factory, vitrineFactoryAbi, 'predict', [clone.implementation, clone.salt, clone.args])).toBe(
    address,
  )

  const again = await send(buyer, factory, encodeCreate(clone))
  expect(again.logs).toHaveLength(0)

  expect(await read(address, vitrine721Abi, 'name')).toBe('Genesis äöü ✨')
  expect(await read(address, vitrine721Abi, 'symbol')).toBe('GEN')
  expect(await read(address, vitrine721Abi, 'owner')).toBe(organization.address)
  expect(await read(address, vitrine721Abi, 'maxSupply')).toBe(500n)
  expect(await read(address, vitrine721Abi, 'rolesOf', [operator.address])).toBe(1n)
  expect(await read(address, vitrine721Abi, 'rolesOf', [signer.address])).toBe(2n)
  expect(await read(address, vitrine721Abi, 'royaltyInfo', [1n, 10_000n])).toEqual([organization.address, 750n])
  expect(await read(address, vitrine721Abi, 'contractURI')).toBe(`${METADATA}${terms.collectionId}`)
})

test('a collection may have a name of any length and no max supply', async () => {
  const name = '💎'.repeat(255)
  const { contract } = await create({ name, symbol: '' })
  expect(await read(contract, vitrine721Abi, 'name')).toBe(name)
  expect(await read(contract, vitrine721Abi, 'symbol')).toBe('')
  expect(await read(contract, vitrine721Abi, 'maxSupply')).toBe(2n ** 64n - 1n)
})

test('a batch leaves out a token that exists and mints the rest', async () => {
  const { contract, terms } = await create({})
  await send(operator, contract, encodeAdminMint721([{ to: buyer.address, tokenId: 2n }]))
  const recipients = Array.from({ length: 100 }, () => privateKeyToAccount(generatePrivateKey()).address)
  const mints = recipients.map((to, index) => ({ to, tokenId: BigInt(index + 1) }))
  const receipt = await send(operator, contract, encodeAdminMint721(mints))
  const logs = receipt.logs.map((log) => decodeTokenLog(log))
  expect(logs.filter((log) => log?.type === 'MINT_SKIPPED')).toEqual([{ type: 'MINT_SKIPPED', tokenId: 2n }])
  expect(logs.filter((log) => log?.type === 'MOVED')).toHaveLength(99)
  expect(await read(contract, vitrine721Abi, 'ownerOf', [100n])).toBe(recipients[99])
  expect(await read(contract, vitrine721Abi, 'ownerOf', [2n])).toBe(buyer.address)
  expect(await read(contract, vitrine721Abi, 'tokenURI', [100n])).toBe(`${METADATA}${terms.collectionId}/100`)
})

test('a consecutive batch is minted completely and its tokens can be transferred, or it is refused completely', async () => {
  const { contract, terms } = await create({})
  const recipients = Array.from({ length: 40 }, () => privateKeyToAccount(generatePrivateKey()).address)
  recipients[9] = buyer.address
  const receipt = await send(operator, contract, encodeAdminMintConsecutive(120n, recipients))
  expect(receipt.logs.map((log) => decodeTokenLog(log))).toEqual(
    recipients.map((to, index) => ({
      type: 'MOVED',
      moves: [{ kind: 'MINT', tokenId: BigInt(120 + index), from: zeroAddress, to, quantity: 1n, operator: null }],
    })),
  )
  expect(await read(contract, vitrine721Abi, 'ownerOf', [159n])).toBe(recipients[39])
  expect(await read(contract, vitrine721Abi, 'tokenURI', [159n])).toBe(`${METADATA}${terms.collectionId}/159`)
  await send(buyer, contract, encodeTransfer721(buyer.address, organization.address, 129n))
  expect(await read(contract, vitrine721Abi, 'ownerOf', [129n])).toBe(organization.address)
  expect(await refusal(operator.address, contract, encodeAdminMintConsecutive(159n, recipients))).toBe(
    'This token was minted before.',
  )
  expect(() => encodeAdminMintConsecutive(1n, [])).toThrow(RangeError)
})

test('a batch may have ids of any size', async () => {
  const { contract } = await create({ manualIds: true })
  const largest = 2n ** 256n - 1n
  const mints = [0n, largest].map((tokenId) => ({ to: buyer.address, tokenId }))
  await send(operator, contract, encodeAdminMint721(mints))
  expect(await read(contract, vitrine721Abi, 'ownerOf', [0n])).toBe(buyer.address)
  expect(await read(contract, vitrine721Abi, 'ownerOf', [largest])).toBe(buyer.address)
})

test('only the minter mints', async () => {
  const { contract } = await create({})
  const mint = encodeAdminMint721([{ to: buyer.address, tokenId: 1n }])
  expect(await refusal(buyer.address, contract, mint)).toBe('The sender isn’t allowed to do that on this contract.')
  expect(await refusal(organization.address, contract, mint)).toBe(
    'The sender isn’t allowed to do that on this contract.',
  )
})

test('a soulbound token can’t be transferred and announces ERC-5192', async () => {
  const { contract } = await create({ soulbound: true })
  await send(operator, contract, encodeAdminMint721([{ to: buyer.address, tokenId: 1n }]))
  const transfer = encodeTransfer721(buyer.address, organization.address, 1n)
  expect(await refusal(buyer.address, contract, transfer)).toBe('Tokens of this collection can’t be transferred.')
  expect(await read(contract, vitrine721Abi, 'locked', [1n])).toBe(true)
  expect(await read(contract, vitrine721Abi, 'supportsInterface', ['0xb45a3c0e'])).toBe(true)
})

test('every change of a setting is decoded from its logs', async () => {
  const { contract } = await create({})
  const sent = async (data: Hex, from = operator) =>
    (await send(from, contract, data)).logs
      .map((log) => decodeTokenLog(log))
      .filter((log): log is TokenLog => log !== null)

  expect(await sent(encodeSetDefaultRoyalty(buyer.address, 500))).toEqual([
    { type: 'ROYALTY_SET', tokenId: null, receiver: buyer.address, basisPoints: 500 },
  ])
  expect(await sent(encodeSetTokenRoyalty(9n, operator.address, 100))).toEqual([
    { type: 'ROYALTY_SET', tokenId: 9n, receiver: operator.address, basisPoints: 100 },
  ])
  expect(await read(contract, vitrine721Abi, 'royaltyInfo', [9n, 1_000n])).toEqual([operator.address, 10n])
  expect(await read(contract, vitrine721Abi, 'royaltyInfo', [8n, 1_000n])).toEqual([buyer.address, 50n])
  expect(await sent(encodeRefreshMetadata(3n, 3n))).toEqual([
    { type: 'METADATA_CHANGED', fromTokenId: 3n, toTokenId: 3n },
  ])
  expect(await sent(encodeSetMaxSupply(10n))).toEqual([{ type: 'MAX_SUPPLY_SET', tokenId: null, maxSupply: 10n }])
  expect(await sent(encodeSetBaseUri('ipfs://collection/'))).toEqual([
    { type: 'BASE_URI_SET', baseUri: 'ipfs://collection/' },
    { type: 'METADATA_CHANGED', fromTokenId: 0n, toTokenId: 2n ** 256n - 1n },
  ])
  expect(await read(contract, vitrine721Abi, 'contractURI')).toBe('ipfs://collection')
  expect(await sent(encodeLockBaseUri())).toEqual([{ type: 'BASE_URI_LOCKED', baseUri: 'ipfs://collection/' }])
  expect(await refusal(operator.address, contract, encodeSetBaseUri(''))).toBe(
    'The metadata address of this collection is locked for ever.',
  )
  expect(await sent(encodeSetRoles(buyer.address, 3n), organization)).toEqual([
    { type: 'ROLES_SET', account: buyer.address, roles: 3n },
  ])
})

test('ERC-1155: a batch leaves out an entry whose receiver refuses and one with a used request id, and mints the rest', async () => {
  const { contract } = await create({ tokenType: 'ERC1155' })
  const single = encodeAdminMint1155([{ to: buyer.address, tokenId: 5n, amount: 3n, requestId: 1n }])
  const first = await send(operator, contract, single)
  expect(first.logs.map((log) => decodeTokenLog(log))).toEqual([
    {
      type: 'MOVED',
      moves: [
        { kind: 'MINT', tokenId: 5n, from: zeroAddress, to: buyer.address, quantity: 3n, operator: operator.address },
      ],
    },
  ])
  const receipt = await send(
    operator,
    contract,
    encodeAdminMint1155([
      { to: buyer.address, tokenId: 5n, amount: 1n, requestId: 1n },
      { to: factory, tokenId: 5n, amount: 1n, requestId: 2n },
      { to: organization.address, tokenId: 5n, amount: 2n, requestId: 300n },
    ]),
  )
  expect(receipt.logs.map((log) => decodeTokenLog(log))).toEqual([
    { type: 'MINT_REFUSED', requestId: 1n, reason: 'This mint request was carried out before.' },
    { type: 'MINT_REFUSED', requestId: 2n, reason: 'The receiving contract doesn’t accept this token.' },
    {
      type: 'MOVED',
      moves: [
        {
          kind: 'MINT',
          tokenId: 5n,
          from: zeroAddress,
          to: organization.address,
          quantity: 2n,
          operator: operator.address,
        },
      ],
    },
  ])
  expect(await read(contract, vitrine1155Abi, 'totalMinted', [5n])).toBe(5n)
  expect(await read(contract, vitrine1155Abi, 'isUsed', [2n])).toBe(false)
})

test('whether a receiving contract accepts a token can be tested before minting', async () => {
  const { contract } = await create({})
  const question = encodeReceiverCall('ERC721', { operator: operator.address, tokenId: 1n, quantity: 1n })
  const answer = await chain()
    .call({ account: contract, to: factory, data: question })
    .then((result) => result.data ?? '0x')
    .catch(() => '0x' as const)
  expect(isReceiverAcceptance('ERC721', answer)).toBe(false)
  expect(isReceiverAcceptance('ERC721', pad('0x150b7a02', { dir: 'right' }))).toBe(true)
})
