import { spawn, type ChildProcess } from 'node:child_process'
import {
  type BaseError,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  hexToBool,
  http,
  pad,
  parseCompactSignature,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  vitrine1155Abi,
  vitrine1155Bytecode,
  vitrine721Abi,
  vitrine721Bytecode,
  vitrineFactoryAbi,
  vitrineFactoryBytecode,
} from '../../lib/core/contracts/abi.ts'
import {
  cloneAddress,
  cloneCode,
  encodeAdminMint1155,
  encodeAdminMint721,
  encodeAdminMintConsecutive,
  encodeCloneArgs,
  encodeCreate,
  encodeLockBaseUri,
  encodeRefreshMetadata,
  encodeSetBaseUri,
  encodeSetDefaultRoyalty,
  encodeSetMaxSupply,
  encodeSetRoles,
  encodeSetTokenRoyalty,
  encodeTransfer1155,
  encodeTransfer721,
  isReceiverAcceptance,
  encodeReceiverCall,
  saltOf,
  type CloneTerms,
} from '../../lib/core/contracts/calls.ts'
import { revertReason } from '../../lib/core/contracts/revert-reason.ts'
import {
  encodeAsksForSignedTransfers,
  encodeTransferNonceUsed,
  encodeTransferWithSignature,
  type SignedTransfer,
  signedTransferTypedData,
} from '../../lib/core/contracts/signed-transfers.ts'
import { decodeTokenLog, type TokenLog } from '../../lib/core/contracts/token-logs.ts'
import {
  decodeMintWithVoucher,
  encodeCancelVoucher,
  encodeMintWithVoucher,
  voucherTypedData,
  voucherValue,
  type MintVoucher,
} from '../../lib/core/contracts/vouchers.ts'
import { chainBinary } from '../../scripts/launcher/chain.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { receiptOf } from '../support/receipt-of.ts'

const METADATA = 'http://localhost:3000/public/v1/metadata/'
// The development chain's well-known first accounts.
const operator = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const buyer = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const signer = privateKeyToAccount(generatePrivateKey())
const organization = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')

let anvil: ChildProcess
let rpcUrl: string
let factory: Address
let implementation721: Address
let implementation1155: Address
let collections = 0

beforeAll(async () => {
  const port = await freePort()
  rpcUrl = `http://127.0.0.1:${port}`
  anvil = spawn(chainBinary(), ['--port', String(port), '--silent', '--hardfork', 'prague'], { stdio: 'ignore' })
  await vi.waitUntil(
    () =>
      chain()
        .getChainId()
        .catch(() => false),
    { timeout: 20_000, interval: 50 },
  )
  factory = await deploy(vitrineFactoryBytecode)
  const args = [METADATA] as const
  implementation721 = await deploy(encodeDeployData({ abi: vitrine721Abi, bytecode: vitrine721Bytecode, args }))
  implementation1155 = await deploy(encodeDeployData({ abi: vitrine1155Abi, bytecode: vitrine1155Bytecode, args }))
})

afterAll(() => {
  anvil?.kill('SIGTERM')
})

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

test.each(['65 bytes', '64 bytes'])(
  'a voucher with a signature of %s mints to its minter once, whoever sends it',
  async (form) => {
    const { contract } = await create({})
    const voucher = voucherOf({ minter: organization.address, tokenId: 7n })
    const signature = form === '64 bytes' ? compact(await sign(contract, voucher)) : await sign(contract, voucher)
    const data = encodeMintWithVoucher(voucher, signature)
    expect(decodeMintWithVoucher(data)).toEqual({ voucher, signature })
    const receipt = await send(buyer, contract, data)
    expect(receipt.logs.map((log) => decodeTokenLog(log))).toEqual([
      {
        type: 'MOVED',
        moves: [
          { kind: 'MINT', tokenId: 7n, from: zeroAddress, to: organization.address, quantity: 1n, operator: null },
        ],
      },
    ])
    expect(await refusal(buyer.address, contract, data)).toBe('This token was minted before.')
  },
)

test('a voucher with a price requires exactly that price, and the contract keeps nothing', async () => {
  const { contract } = await create({})
  const net = privateKeyToAccount(generatePrivateKey()).address
  const fee = privateKeyToAccount(generatePrivateKey()).address
  const voucher = voucherOf({ price: 1_000n, netRecipient: net, initialRecipient: fee, initialRecipientAmount: 25n })
  const data = encodeMintWithVoucher(voucher, await sign(contract, voucher))
  expect(await refusal(buyer.address, contract, data)).toBe('The payment must be exactly the voucher’s price.')
  expect(await refusal(buyer.address, contract, data, 1_001n)).toBe('The payment must be exactly the voucher’s price.')
  await send(buyer, contract, data, voucherValue(voucher))
  expect(await chain().getBalance({ address: net })).toBe(975n)
  expect(await chain().getBalance({ address: fee })).toBe(25n)
  expect(await chain().getBalance({ address: contract })).toBe(0n)
})

test('a changed, expired or cancelled voucher, or one of another contract, is refused with the reason', async () => {
  const { contract } = await create({})
  const { contract: other } = await create({})
  const voucher = voucherOf({ tokenId: 3n, nonce: 4n })
  const signature = await sign(contract, voucher)
  const refused = (changed: Partial<MintVoucher>, at = contract) =>
    refusal(buyer.address, at, encodeMintWithVoucher({ ...voucher, ...changed }, signature))
  expect(await refused({ minter: operator.address })).toBe(
    'The voucher isn’t signed by a key that may sign for this collection.',
  )
  expect(await refused({}, other)).toBe('The voucher isn’t signed by a key that may sign for this collection.')
  expect(await refused({ expiry: 1n })).toBe('This voucher has expired.')
  expect(await refused({ quantity: 2n })).toBe('A voucher for a unique item has quantity 1.')

  const cancel = encodeCancelVoucher(voucher, signature)
  expect(await refusal(organization.address, contract, encodeCancelVoucher({ ...voucher, nonce: 5n }, signature))).toBe(
    'The voucher isn’t signed by a key that may sign for this collection.',
  )
  const receipt = await send(operator, contract, cancel)
  expect(decodeTokenLog(receipt.logs[0]!)).toEqual({ type: 'VOUCHER_CANCELLED', tokenId: 3n, nonce: 4n })
  expect(await refused({})).toBe('This voucher was cancelled.')
  await send(operator, contract, encodeAdminMint721([{ to: buyer.address, tokenId: 3n }]))
  expect(await read(contract, vitrine721Abi, 'ownerOf', [3n])).toBe(buyer.address)
})

test('the minter of a voucher can cancel it, another account that knows it cannot', async () => {
  const { contract } = await create({})
  const voucher = voucherOf({ minter: buyer.address })
  const cancel = encodeCancelVoucher(voucher, await sign(contract, voucher))
  const outsider = privateKeyToAccount(generatePrivateKey()).address
  expect(await refusal(outsider, contract, cancel)).toBe('The sender isn’t allowed to do that on this contract.')
  await send(buyer, contract, cancel)
})

test.each(['ERC721', 'ERC1155'] as const)(
  'a transfer of %s that its holder signed is made once, whoever sends it',
  async (tokenType) => {
    const { contract } = await create({ tokenType })
    const quantity = tokenType === 'ERC721' ? 1n : 3n
    const to = organization.address
    await send(
      operator,
      contract,
      tokenType === 'ERC721'
        ? encodeAdminMint721([{ to: buyer.address, tokenId: 7n }])
        : encodeAdminMint1155([{ to: buyer.address, tokenId: 7n, amount: 5n, requestId: 1n }]),
    )
    const transfer = { tokenId: 7n, quantity, from: buyer.address, to, nonce: 2n ** 200n, deadline: 4_102_444_800n }
    const signature = await buyer.signTypedData(signedTransferTypedData(tokenType, 31337, contract, transfer))
    const data = encodeTransferWithSignature(tokenType, transfer, signature)
    const isUsed = async () => {
      const used = await chain().call({ to: contract, data: encodeTransferNonceUsed(buyer.address, transfer.nonce) })
      return hexToBool(used.data!, { size: 32 })
    }
    expect(await isUsed()).toBe(false)
    const receipt = await send(operator, contract, data)
    const operatorOfLog = tokenType === 'ERC721' ? null : buyer.address
    expect(receipt.logs.map((log) => decodeTokenLog(log))).toEqual([
      { type: 'TRANSFER_NONCE_USED', from: buyer.address, nonce: transfer.nonce, tokenId: 7n },
      {
        type: 'MOVED',
        moves: [{ kind: 'TRANSFER', tokenId: 7n, from: buyer.address, to, quantity, operator: operatorOfLog }],
      },
    ])
    expect(await isUsed()).toBe(true)
    const refused = (changed: Partial<SignedTransfer>) =>
      refusal(
        organization.address,
        contract,
        encodeTransferWithSignature(tokenType, { ...transfer, ...changed }, signature),
      )
    expect(await refused({})).toBe('A transfer with this number was made or cancelled before.')
    expect(await refused({ nonce: 1n })).toBe('The transfer isn’t signed by the account that it moves the token from.')
    expect(await refused({ nonce: 1n, deadline: 1n })).toBe('The deadline of this transfer has passed.')
    const asked = await chain().call({ to: contract, data: encodeAsksForSignedTransfers(tokenType) })
    expect(hexToBool(asked.data!, { size: 32 })).toBe(true)
    const cancelled = await send(
      buyer,
      contract,
      encodeFunctionData({ abi: vitrine721Abi, functionName: 'cancelTransferNonce', args: [1n] }),
    )
    expect(cancelled.logs.map((log) => decodeTokenLog(log))).toEqual([
      { type: 'TRANSFER_NONCE_CANCELLED', from: buyer.address, nonce: 1n },
    ])
  },
)

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

test('ERC-1155: the log with a voucher’s nonce comes right before its mint’s', async () => {
  const { contract } = await create({ tokenType: 'ERC1155' })
  const voucher = voucherOf({ quantity: 4n, nonce: 77n, tokenId: 2n, minter: organization.address })
  const data = encodeMintWithVoucher(voucher, await sign(contract, voucher))
  const receipt = await send(buyer, contract, data)
  expect(receipt.logs.map((log) => decodeTokenLog(log))).toEqual([
    { type: 'VOUCHER_REDEEMED', nonce: 77n },
    {
      type: 'MOVED',
      moves: [
        {
          kind: 'MINT',
          tokenId: 2n,
          from: zeroAddress,
          to: organization.address,
          quantity: 4n,
          operator: buyer.address,
        },
      ],
    },
  ])
  expect(await refusal(buyer.address, contract, data)).toBe('This voucher was used or cancelled before.')
  await send(organization, contract, encodeTransfer1155(organization.address, buyer.address, 2n, 3n))
  expect(await read(contract, vitrine1155Abi, 'balanceOf', [buyer.address, 2n])).toBe(3n)
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

// ---------------------------------------------------------------------------------------------------------- helpers

const chain = () => createPublicClient({ chain: foundry, transport: http(rpcUrl), pollingInterval: 10 })

function termsOf(terms: Partial<CloneTerms>): CloneTerms {
  collections += 1
  return {
    tokenType: 'ERC721',
    collectionId: `01900000-0000-7000-8000-${String(collections).padStart(12, '0')}`,
    name: 'Genesis',
    symbol: 'GEN',
    owner: organization.address,
    minter: operator.address,
    signer: signer.address,
    maxSupply: null,
    manualIds: false,
    soulbound: false,
    royaltyReceiver: null,
    royaltyBps: 0,
    ...terms,
  }
}

function cloneOf(terms: CloneTerms) {
  const implementation = terms.tokenType === 'ERC721' ? implementation721 : implementation1155
  return { factory, implementation, salt: saltOf(terms.collectionId), args: encodeCloneArgs(terms) }
}

async function create(changed: Partial<CloneTerms>) {
  const terms = termsOf(changed)
  const clone = cloneOf(terms)
  await send(operator, factory, encodeCreate(clone))
  return { contract: cloneAddress(clone), terms }
}

function voucherOf(changed: Partial<MintVoucher>): MintVoucher {
  return {
    minter: buyer.address,
    netRecipient: zeroAddress,
    initialRecipient: zeroAddress,
    initialRecipientAmount: 0n,
    quantity: 1n,
    nonce: 1n,
    expiry: 4_102_444_800n,
    price: 0n,
    tokenId: 1n,
    currency: zeroAddress,
    ...changed,
  }
}

function sign(contract: Address, voucher: MintVoucher): Promise<Hex> {
  return signer.signTypedData(voucherTypedData(31337, contract, voucher))
}

function compact(signature: Hex): Hex {
  const short = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
  expect(parseCompactSignature(short).r).toBe(parseSignature(signature).r)
  return short
}

async function deploy(data: Hex): Promise<Address> {
  const receipt = await send(operator, null, data)
  return getAddress(receipt.contractAddress!)
}

async function send(from: typeof operator, to: Address | null, data: Hex, value = 0n) {
  const wallet = createWalletClient({ account: from, chain: foundry, transport: http(rpcUrl) })
  const hash = await wallet.sendTransaction({ to, data, value })
  const receipt = await receiptOf(chain(), hash)
  expect(receipt.status).toBe('success')
  return receipt
}

async function refusal(from: Address, to: Address, data: Hex, value = 0n): Promise<string> {
  await send(operator, from, '0x', 10n ** 16n)
  return chain()
    .call({ account: from, to, data, value })
    .then(
      () => 'not refused',
      (error: BaseError) => {
        // Which of viem's nested errors has the revert data depends on the wording of the node's error.
        const cause = error.walk((one) => typeof (one as { data?: unknown }).data === 'string') as { data: Hex } | null
        return revertReason(cause?.data)
      },
    )
}

type AnyAbi = typeof vitrine721Abi | typeof vitrine1155Abi | typeof vitrineFactoryAbi

/** Loosely typed, because viem's types for a union of ABIs are too large. The tests check the results. */
function read(address: Address, abi: AnyAbi, functionName: string, args: unknown[] = []): Promise<unknown> {
  const call = { address, abi: abi as typeof vitrine721Abi, functionName: functionName as 'name', args: args as [] }
  return chain().readContract(call)
}
