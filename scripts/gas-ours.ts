// Measures the gas of our contracts' operations: whole transactions through a collection's clone.
import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  cloneAddress,
  encodeAdminMint1155,
  encodeAdminMint721,
  encodeAdminMintConsecutive,
  encodeCloneArgs,
  encodeCreate,
  saltOf,
  type TokenType,
} from '../lib/core/contracts/calls.ts'
import { encodeTransferWithSignature, signedTransferTypedData } from '../lib/core/contracts/signed-transfers.ts'
import { encodeMintWithVoucher, type MintVoucher, voucherTypedData } from '../lib/core/contracts/vouchers.ts'
import {
  vitrine1155Abi,
  vitrine1155Bytecode,
  vitrine721Abi,
  vitrine721Bytecode,
  vitrineFactoryAbi,
  vitrineFactoryBytecode,
} from '../lib/core/contracts/abi.ts'
import type { GasChain } from './gas-chain.ts'

/** Compiled contracts by name. */
export type Compiled = Record<'Vitrine721' | 'Vitrine1155' | 'VitrineFactory', { abi: Abi; bytecode: Hex }>

/** The contracts as `npm run contracts` last compiled them. */
export const compiledContracts: Compiled = {
  Vitrine721: { abi: vitrine721Abi, bytecode: vitrine721Bytecode },
  Vitrine1155: { abi: vitrine1155Abi, bytecode: vitrine1155Bytecode },
  VitrineFactory: { abi: vitrineFactoryAbi, bytecode: vitrineFactoryBytecode },
}

/** The most gas that an operation may cost, whatever the snapshot says. Set at or below the best of the peers. */
export const GAS_BOUNDS: Record<string, number> = {
  'deploy a collection': 120_000,
  'admin mint, one': 74_000,
  '100 recipients, any ids': 4_733_000,
  '100 recipients, consecutive ids': 3_200_000,
  '100 recipients, consecutive ids, across two chunks': 3_200_000,
  'voucher mint, free': 82_000,
  'voucher mint, one payee': 91_500,
  'voucher mint, two payees': 101_000,
  transfer: 61_700,
  'transfer, the first after a consecutive batch, owner of one': 78_000,
  'transfer, the first after a chunk’s second consecutive batch, owner of one': 78_000,
  'ERC-1155, 100 recipients': 2_850_000,
}

const METADATA = 'https://vitrine.example/public/v1/metadata/'
const PRICE = 10n ** 16n
const holder = privateKeyToAccount('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')
const signer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')
const transferAbi = parseAbi(['function transferFrom(address from, address to, uint256 id)'])

/** Gas of each operation by name. Names and order are those of contracts/gas.json. */
export async function measureOurs(chain: GasChain, compiled: Compiled): Promise<Record<string, number>> {
  const { admin, buyer, payer, newAddress, send } = chain
  const factory = await chain.deploy(compiled.VitrineFactory.abi, compiled.VitrineFactory.bytecode)
  const implementation721 = await chain.deploy(compiled.Vitrine721.abi, compiled.Vitrine721.bytecode, [METADATA])
  const implementation1155 = await chain.deploy(compiled.Vitrine1155.abi, compiled.Vitrine1155.bytecode, [METADATA])

  let collections = 0
  const create = async (tokenType: TokenType, manualIds = false) => {
    const collectionId = `0191d3a1-7c4b-7e5f-9a6b-1c2d3e4f5a${String((collections += 1) + 10)}`
    const args = encodeCloneArgs({
      tokenType,
      collectionId,
      name: 'Genesis',
      symbol: 'GEN',
      owner: payer,
      minter: admin,
      signer: signer.address,
      maxSupply: null,
      manualIds,
      soulbound: false,
      royaltyReceiver: payer,
      royaltyBps: 500,
    })
    const implementation = tokenType === 'ERC721' ? implementation721.contract : implementation1155.contract
    const clone = { factory: factory.contract, implementation, salt: saltOf(collectionId), args }
    const { gas } = await send(admin, factory.contract, encodeCreate(clone))
    return { gas, token: cloneAddress(clone) }
  }

  const deployed = await create('ERC721')
  const token = deployed.token
  let lastId = 0n
  const nextId = () => (lastId += 1n)
  const mintTo = (to: Address) => send(admin, token, encodeAdminMint721([{ to, tokenId: nextId() }]))
  const newAddresses = (count: number) => Array.from({ length: count }, () => newAddress())

  await mintTo(newAddress())
  const mint = await mintTo(newAddress())
  const batch = await send(admin, token, encodeAdminMint721(newAddresses(100).map((to) => ({ to, tokenId: nextId() }))))

  const redeem = async (at: Address, money: Partial<MintVoucher>, compact = false) => {
    const voucher: MintVoucher = {
      minter: newAddress(),
      netRecipient: zeroAddress,
      initialRecipient: zeroAddress,
      initialRecipientAmount: 0n,
      quantity: 1n,
      nonce: 1_000n + nextId(),
      expiry: 4_102_444_799n,
      price: 0n,
      tokenId: at === token ? nextId() : 1n,
      currency: zeroAddress,
      ...money,
    }
    const long = await signer.signTypedData(voucherTypedData(31337, at, voucher))
    const signature = compact ? serializeCompactSignature(signatureToCompactSignature(parseSignature(long))) : long
    return send(buyer, at, encodeMintWithVoucher(voucher, signature), voucher.price)
  }
  // The payees' accounts exist already, as a seller's and a platform's do.
  const seller = newAddress()
  const platform = newAddress()
  for (const payee of [seller, platform]) await send(payer, payee, '0x', 1n)
  const one = { price: PRICE, netRecipient: seller }
  const two = { ...one, initialRecipient: platform, initialRecipientAmount: PRICE / 40n }
  const voucherFree = await redeem(token, {})
  const voucherFreeShort = await redeem(token, {}, true)
  const voucherOne = await redeem(token, one)
  const voucherOneShort = await redeem(token, one, true)
  const voucherTwo = await redeem(token, two)
  const voucherTwoShort = await redeem(token, two, true)

  const tokensOfBuyer = Array.from({ length: 5 }, () => ({ to: buyer, tokenId: nextId() }))
  await send(admin, token, encodeAdminMint721(tokensOfBuyer))
  const transferOf = (at: Address, from: Address, id: bigint) =>
    send(
      from,
      at,
      encodeFunctionData({ abi: transferAbi, functionName: 'transferFrom', args: [from, newAddress(), id] }),
    )
  const transfer = await transferOf(token, buyer, tokensOfBuyer[2]!.tokenId)

  // A holder's first transfer, and the second, whose nonce is in the same word as that of the first.
  const relay = async (tokenType: TokenType, at: Address, tokenId: bigint, nonce: bigint) => {
    const transfer = {
      tokenId,
      quantity: 1n,
      from: holder.address,
      to: newAddress(),
      nonce,
      deadline: 4_102_444_799n,
    }
    const signature = await holder.signTypedData(signedTransferTypedData(tokenType, 31337, at, transfer))
    return send(buyer, at, encodeTransferWithSignature(tokenType, transfer, signature))
  }
  const tokensOfHolder = Array.from({ length: 5 }, () => ({ to: holder.address, tokenId: nextId() }))
  await send(admin, token, encodeAdminMint721(tokensOfHolder))
  const signedTransfer = await relay('ERC721', token, tokensOfHolder[2]!.tokenId, 1n)
  const signedTransferNext = await relay('ERC721', token, tokensOfHolder[3]!.tokenId, 2n)

  const units = (await create('ERC1155')).token
  let requests = 0n
  const mintUnits = (recipients: Address[]) =>
    encodeAdminMint1155(recipients.map((to) => ({ to, tokenId: 1n, amount: 1n, requestId: (requests += 1n) })))
  await send(admin, units, mintUnits([newAddress()]))
  const mint1155 = await send(admin, units, mintUnits([newAddress()]))
  const batch1155 = await send(admin, units, mintUnits(newAddresses(100)))
  await redeem(units, {})
  const voucher1155 = await redeem(units, {})
  await send(admin, units, mintUnits([holder.address, holder.address]))
  const signedTransfer1155 = await relay('ERC1155', units, 1n, 1n)

  // Consecutive batches: a collection's first, one within a chunk, and one across two chunks.
  const distributed = (await create('ERC721')).token
  const mintConsecutive = (firstId: bigint, recipients: Address[]) =>
    send(admin, distributed, encodeAdminMintConsecutive(firstId, recipients))
  const firstBatch = await mintConsecutive(1n, newAddresses(100))
  const withinChunk = await mintConsecutive(256n, newAddresses(100))
  const acrossChunks = await mintConsecutive(462n, newAddresses(100))
  const twenty = await mintConsecutive(1_024n, [buyer, ...newAddresses(19)])
  await mintConsecutive(1_044n, [...newAddresses(19), payer])
  const firstTransfer = await transferOf(distributed, buyer, 1_024n)
  const layerTransfer = await transferOf(distributed, payer, 1_063n)
  const betweenBatches = await send(admin, distributed, encodeAdminMint721([{ to: newAddress(), tokenId: 700n }]))
  return {
    'deploy a collection': deployed.gas,
    'admin mint, one': mint.gas,
    '100 recipients, any ids': batch.gas,
    '100 recipients, consecutive ids': withinChunk.gas,
    '100 recipients, consecutive ids, across two chunks': acrossChunks.gas,
    '100 recipients, consecutive ids, the first batch of a collection': firstBatch.gas,
    '20 recipients, consecutive ids': twenty.gas,
    'admin mint, one, between consecutive batches': betweenBatches.gas,
    'voucher mint, free': voucherFree.gas,
    'voucher mint, one payee': voucherOne.gas,
    'voucher mint, two payees': voucherTwo.gas,
    'voucher mint, free, 64-byte signature': voucherFreeShort.gas,
    'voucher mint, one payee, 64-byte signature': voucherOneShort.gas,
    'voucher mint, two payees, 64-byte signature': voucherTwoShort.gas,
    transfer: transfer.gas,
    'transfer, the first after a consecutive batch, owner of one': firstTransfer.gas,
    'transfer, the first after a chunk’s second consecutive batch, owner of one': layerTransfer.gas,
    'transfer with a signature': signedTransfer.gas,
    'transfer with a signature, the next nonce': signedTransferNext.gas,
    'ERC-1155 admin mint, one': mint1155.gas,
    'ERC-1155, 100 recipients': batch1155.gas,
    'ERC-1155 voucher mint, free': voucher1155.gas,
    'ERC-1155 transfer with a signature': signedTransfer1155.gas,
  }
}
