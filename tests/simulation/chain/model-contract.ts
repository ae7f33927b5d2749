import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  getAddress,
  hashTypedData,
  hexToBigInt,
  hexToBytes,
  isAddressEqual,
  numberToHex,
  padHex,
  parseAbi,
  recoverAddress,
  slice,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { CONSECUTIVE_ID_LIMIT } from '../../../lib/core/contracts/last-chunk.ts'
import { vitrine1155Abi, vitrine721Abi, vitrineFactoryAbi } from '../../../lib/core/contracts/abi.ts'
import { cloneAddress, cloneCode, type TokenType } from '../../../lib/core/contracts/calls.ts'
import { signedTransferTypedData, type SignedTransfer } from '../../../lib/core/contracts/signed-transfers.ts'
import { type MintVoucher, voucherDomain, voucherHash, voucherValue } from '../../../lib/core/contracts/vouchers.ts'

export const FACTORY: Address = getAddress(`0x${'fa'.repeat(20)}`)
export const IMPLEMENTATION_721: Address = getAddress(`0x${'72'.repeat(20)}`)
export const IMPLEMENTATION_1155: Address = getAddress(`0x${'15'.repeat(20)}`)

/** A deployed collection. Ids are decimal texts. */
export type Contract = {
  tokenType: TokenType
  code: Hex
  minter: Address
  signer: Address
  /** ERC-721. */
  owners: Record<string, Address>
  lowestNonces: Record<string, bigint>
  /**
   * ERC-1155: units by the token’s id and their owner, and the request ids and voucher nonces that are used or
   * cancelled.
   */
  units: Record<string, bigint>
  usedRequests: Record<string, true>
  /** Nonces of signed transfers that are used or cancelled, each after its holder's address. */
  usedNonces: Record<string, true>
}
/** What a block leaves behind. Never changed in place. */
export type State = { nonces: Record<string, number>; contracts: Record<string, Contract> }
export type ModelLog = { address: Address; topics: Hex[]; data: Hex }
export type CallOf = { from: Address; to: Address; data: Hex; value: bigint }
/** `contracts`: those that the call changes. */
export type Outcome =
  { ok: true; data: Hex; logs: ModelLog[]; contracts: Record<string, Contract> } | { ok: false; data: Hex }

/** Where the immutable arguments of a clone have its minter and its signer (encodeCloneArgs). */
const MINTER_AT = [1, 21] as const
const SIGNER_AT = [29, 49] as const
const BURNT = 2n ** 96n - 1n
const READS = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function lowestValidNonce(uint256 id) view returns (uint256)',
])

/** What both kinds have is written alike. */
const ABI = [...vitrine721Abi, ...vitrine1155Abi]

type ErrorName = Extract<(typeof ABI)[number], { type: 'error' }>['name']

class Reverted extends Error {
  readonly data: Hex
  constructor(name: ErrorName) {
    super(name)
    this.data = encodeErrorResult({ abi: ABI, errorName: name } as never)
  }
}

const signatures = new Map<string, Promise<Address>>()
const domains = new Map<Address, Hex>()

/** Runs a call on a state, as the contracts of contracts/src would. The time is in Unix seconds. */
export async function run(state: State, chainId: number, call: CallOf, time: bigint): Promise<Outcome> {
  const nothing: Outcome = { ok: true, data: '0x', logs: [], contracts: {} }
  if (isAddressEqual(call.to, FACTORY)) return create(state, call)
  const contract = state.contracts[call.to]
  if (!contract) return nothing
  try {
    return await (contract.tokenType === 'ERC721' ? call721 : call1155)(contract, chainId, call, time)
  } catch (error) {
    if (error instanceof Reverted) return { ok: false, data: error.data }
    throw error
  }
}

function create(state: State, { data }: CallOf): Outcome {
  const { functionName, args } = decodeFunctionData({ abi: vitrineFactoryAbi, data })
  if (functionName !== 'create') throw new Error(`The model factory has no ${functionName}.`)
  const [implementation, salt, terms] = args as [Address, Hex, Hex]
  const address = cloneAddress({ factory: FACTORY, implementation, salt, args: terms })
  const answer = encodeAbiParameters([{ type: 'address' }], [address])
  if (state.contracts[address]) return { ok: true, data: answer, logs: [], contracts: {} }
  const contract: Contract = {
    tokenType: isAddressEqual(implementation, IMPLEMENTATION_1155) ? 'ERC1155' : 'ERC721',
    code: cloneCode(implementation, terms),
    minter: getAddress(slice(terms, ...MINTER_AT)),
    signer: getAddress(slice(terms, ...SIGNER_AT)),
    owners: {},
    lowestNonces: {},
    units: {},
    usedRequests: {},
    usedNonces: {},
  }
  return { ok: true, data: answer, logs: [], contracts: { [address]: contract } }
}

async function call721(contract: Contract, chainId: number, call: CallOf, time: bigint): Promise<Outcome> {
  const { functionName, args } = decodeFunctionData({ abi: [...READS, ...vitrine721Abi], data: call.data }) as {
    functionName: string
    args: readonly unknown[]
  }
  const logs: ModelLog[] = []
  const owners = { ...contract.owners }
  const lowestNonces = { ...contract.lowestNonces }
  const usedNonces = { ...contract.usedNonces }
  const done = (data: Hex = '0x'): Outcome => ({
    ok: true,
    data,
    logs,
    contracts: logs.length > 0 ? { [call.to]: { ...contract, owners, lowestNonces, usedNonces } } : {},
  })
  const note = (eventName: string, args: object, data: Hex = '0x') =>
    void logs.push({
      address: call.to,
      topics: encodeEventTopics({ abi: vitrine721Abi, eventName, args } as never) as Hex[],
      data,
    })
  const give = (from: Address, to: Address, id: bigint) => {
    owners[String(id)] = to
    note('Transfer', { from, to, id })
  }
  const takeNonce = (from: Address, nonce: bigint) => {
    if (usedNonces[nonceName(from, nonce)]) throw new Reverted('TransferNonceIsUsed')
    usedNonces[nonceName(from, nonce)] = true
  }
  const onlyMinter = () => {
    if (!isAddressEqual(call.from, contract.minter)) throw new Reverted('Unauthorized')
  }
  switch (functionName) {
    case 'ownerOf': {
      const owner = owners[String(args[0])]
      if (!owner) throw new Reverted('TokenDoesNotExist')
      return done(encodeAbiParameters([{ type: 'address' }], [owner]))
    }
    case 'lowestValidNonce':
      return done(numberToHex(lowestNonces[String(args[0])] ?? 0n, { size: 32 }))
    case 'supportsInterface':
      return done(numberToHex(1n, { size: 32 }))
    case 'BLOB_ID_LIMIT':
      return done(numberToHex(CONSECUTIVE_ID_LIMIT, { size: 32 }))
    case 'adminMint': {
      onlyMinter()
      const [to, id] = args as [Address, bigint]
      if (owners[String(id)]) throw new Reverted('TokenAlreadyExists')
      give(zeroAddress, to, id)
      return done()
    }
    case 'adminMintMultiple': {
      onlyMinter()
      for (const { to, id } of unpack(args[0] as Hex)) {
        if (owners[String(id)]) note('MintSkipped', {}, numberToHex(id, { size: 32 }))
        else give(zeroAddress, to, id)
      }
      return done()
    }
    case 'transferFrom': {
      const [from, to, id] = args as [Address, Address, bigint]
      if (owners[String(id)] !== from) throw new Reverted('TransferFromIncorrectOwner')
      if (!isAddressEqual(call.from, from)) throw new Reverted('NotOwnerNorApproved')
      give(from, to, id)
      return done()
    }
    case 'transferNonceUsed': {
      const [from, nonce] = args as [Address, bigint]
      return done(numberToHex(contract.usedNonces[nonceName(from, nonce)] ? 1n : 0n, { size: 32 }))
    }
    case 'cancelTransferNonce': {
      const [nonce] = args as [bigint]
      takeNonce(call.from, nonce)
      note('TransferNonceCancelled', { from: call.from, nonce })
      return done()
    }
    case 'transferWithSignature': {
      const [id, from, to, nonce, deadline, signature] = args as [bigint, Address, Address, bigint, bigint, Hex]
      takeNonce(from, nonce)
      if (time > deadline) throw new Reverted('TransferIsExpired')
      const order = { tokenId: id, quantity: 1n, from, to, nonce, deadline }
      if (!isAddressEqual(await signerOf(transferHash('ERC721', chainId, call.to, order), signature), from))
        throw new Reverted('TransferIsNotSigned')
      note('TransferNonceUsed', { from, nonce, tokenId: id })
      if (!owners[String(id)]) throw new Reverted('TokenDoesNotExist')
      if (owners[String(id)] !== from) throw new Reverted('TransferFromIncorrectOwner')
      give(from, to, id)
      return done()
    }
    case 'mintWithVoucher': {
      const [voucher, signature] = args as [MintVoucher, Hex]
      if (voucher.expiry < time) throw new Reverted('VoucherIsExpired')
      await assertSigned(contract, chainId, call.to, voucher, signature)
      if (call.value !== voucherValue(voucher)) throw new Reverted('WrongPayment')
      const id = voucher.tokenId
      if (owners[String(id)]) throw new Reverted('TokenAlreadyExists')
      if (voucher.nonce < (lowestNonces[String(id)] ?? 0n)) throw new Reverted('VoucherIsCancelled')
      give(zeroAddress, voucher.minter, id)
      return done()
    }
    case 'cancelVoucher': {
      const [voucher, signature] = args as [MintVoucher, Hex]
      await assertSigned(contract, chainId, call.to, voucher, signature)
      const id = voucher.tokenId
      const lowest = lowestNonces[String(id)] ?? 0n
      if (owners[String(id)]) throw new Reverted('TokenAlreadyExists')
      if (lowest === BURNT) throw new Reverted('TokenIsBurnt')
      if (voucher.nonce < lowest) throw new Reverted('VoucherIsCancelled')
      lowestNonces[String(id)] = voucher.nonce + 1n
      note('VoucherCancelled', { tokenId: id, nonce: voucher.nonce })
      return done()
    }
    default:
      throw new Error(`The model contract has no ${functionName}.`)
  }
}

async function call1155(contract: Contract, chainId: number, call: CallOf, time: bigint): Promise<Outcome> {
  const { functionName, args } = decodeFunctionData({ abi: vitrine1155Abi, data: call.data }) as {
    functionName: string
    args: readonly unknown[]
  }
  const logs: ModelLog[] = []
  const units = { ...contract.units }
  const usedRequests = { ...contract.usedRequests }
  const usedNonces = { ...contract.usedNonces }
  const done = (data: Hex = '0x'): Outcome => ({
    ok: true,
    data,
    logs,
    contracts: logs.length > 0 ? { [call.to]: { ...contract, units, usedRequests, usedNonces } } : {},
  })
  const note = (eventName: string, args: object, data: Hex = '0x') =>
    void logs.push({
      address: call.to,
      topics: encodeEventTopics({ abi: vitrine1155Abi, eventName, args } as never) as Hex[],
      data,
    })
  const give = (operator: Address, from: Address, { to, id, amount }: Units) => {
    if (from !== zeroAddress) {
      const held = units[unitsName(id, from)] ?? 0n
      if (held < amount) throw new Reverted('InsufficientBalance')
      units[unitsName(id, from)] = held - amount
    }
    units[unitsName(id, to)] = (units[unitsName(id, to)] ?? 0n) + amount
    const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [id, amount])
    note('TransferSingle', { operator, from, to }, data)
  }
  const takeRequest = (id: bigint, error: ErrorName) => {
    if (usedRequests[String(id)]) throw new Reverted(error)
    usedRequests[String(id)] = true
  }
  const takeNonce = (from: Address, nonce: bigint) => {
    if (usedNonces[nonceName(from, nonce)]) throw new Reverted('TransferNonceIsUsed')
    usedNonces[nonceName(from, nonce)] = true
  }
  const onlyMinter = () => {
    if (!isAddressEqual(call.from, contract.minter)) throw new Reverted('Unauthorized')
  }
  const boolOf = (value: boolean) => done(numberToHex(value ? 1n : 0n, { size: 32 }))
  switch (functionName) {
    case 'supportsInterface':
      return boolOf(true)
    case 'isUsed':
      return boolOf(contract.usedRequests[String(args[0])] ?? false)
    case 'transferNonceUsed': {
      const [from, nonce] = args as [Address, bigint]
      return boolOf(contract.usedNonces[nonceName(from, nonce)] ?? false)
    }
    case 'balanceOf': {
      const [owner, id] = args as [Address, bigint]
      return done(numberToHex(contract.units[unitsName(id, owner)] ?? 0n, { size: 32 }))
    }
    case 'totalMinted': {
      const units = Object.entries(contract.units).filter(([name]) => name.startsWith(`${String(args[0])} `))
      return done(
        numberToHex(
          units.reduce((sum, [, quantity]) => sum + quantity, 0n),
          { size: 32 },
        ),
      )
    }
    case 'adminMint': {
      onlyMinter()
      const [to, id, amount, requestId] = args as [Address, bigint, bigint, bigint]
      takeRequest(requestId, 'RequestIsUsed')
      give(call.from, zeroAddress, { to, id, amount })
      return done()
    }
    case 'adminMintMultiple': {
      onlyMinter()
      for (const { requestId, ...mint } of unpackUnits(args[0] as Hex)) {
        if (usedRequests[String(requestId)])
          note('MintRefused', { requestId }, padHex(new Reverted('RequestIsUsed').data, { dir: 'right', size: 32 }))
        else {
          usedRequests[String(requestId)] = true
          give(call.from, zeroAddress, mint)
        }
      }
      return done()
    }
    case 'mintWithVoucher': {
      const [voucher, signature] = args as [MintVoucher, Hex]
      if (voucher.expiry < time) throw new Reverted('VoucherIsExpired')
      await assertSigned(contract, chainId, call.to, voucher, signature)
      if (call.value !== voucherValue(voucher)) throw new Reverted('WrongPayment')
      takeRequest(voucher.nonce, 'VoucherIsUsed')
      note('VoucherRedeemed', { nonce: voucher.nonce })
      give(call.from, zeroAddress, { to: voucher.minter, id: voucher.tokenId, amount: voucher.quantity })
      return done()
    }
    case 'cancelVoucher': {
      const [voucher, signature] = args as [MintVoucher, Hex]
      await assertSigned(contract, chainId, call.to, voucher, signature)
      takeRequest(voucher.nonce, 'VoucherIsUsed')
      note('VoucherCancelled', { tokenId: voucher.tokenId, nonce: voucher.nonce })
      return done()
    }
    case 'cancelTransferNonce': {
      const [nonce] = args as [bigint]
      takeNonce(call.from, nonce)
      note('TransferNonceCancelled', { from: call.from, nonce })
      return done()
    }
    case 'transferWithSignature': {
      const [id, amount, from, to, nonce, deadline, signature] = args as SignedUnits
      takeNonce(from, nonce)
      if (time > deadline) throw new Reverted('TransferIsExpired')
      const order = { tokenId: id, quantity: amount, from, to, nonce, deadline }
      if (!isAddressEqual(await signerOf(transferHash('ERC1155', chainId, call.to, order), signature), from))
        throw new Reverted('TransferIsNotSigned')
      note('TransferNonceUsed', { from, nonce, tokenId: id })
      give(from, from, { to, id, amount })
      return done()
    }
    default:
      throw new Error(`The model contract has no ${functionName}.`)
  }
}

type Units = { to: Address; id: bigint; amount: bigint }
type SignedUnits = [bigint, bigint, Address, Address, bigint, bigint, Hex]

/** Under which units of a token are stored. */
const unitsName = (id: bigint, owner: Address): string => `${id} ${owner}`

/** Each token and somebody who has it, or units of it. */
export const holdingsOf = ({ tokenType, owners, units }: Contract): [token: string, holder: Address][] =>
  tokenType === 'ERC721'
    ? Object.entries(owners)
    : Object.entries(units).flatMap(([name, quantity]) => (quantity > 0n ? [name.split(' ') as [string, Address]] : []))

/** The entries of the ERC-1155 adminMintMultiple: the widths of ids, amounts and request ids, then the entries. */
function unpackUnits(packed: Hex): (Units & { requestId: bigint })[] {
  const widths = [...hexToBytes(packed).subarray(0, 3)]
  const stride = widths.reduce((sum, width) => sum + width, 20)
  const count = ((packed.length - 2) / 2 - 3) / stride
  return Array.from({ length: count }, (_, at) => {
    let place = 3 + at * stride
    const take = (width: number): Hex => slice(packed, place, (place += width))
    const to = getAddress(take(20))
    const [id, amount, requestId] = widths.map((width) => hexToBigInt(take(width))) as [bigint, bigint, bigint]
    return { to, id, amount, requestId }
  })
}

/** The entries of adminMintMultiple: the width of an id, then recipients and ids. */
function unpack(packed: Hex): { to: Address; id: bigint }[] {
  const width = hexToBytes(packed)[0]!
  const count = ((packed.length - 2) / 2 - 1) / (20 + width)
  return Array.from({ length: count }, (_, at) => {
    const start = 1 + at * (20 + width)
    return {
      to: getAddress(slice(packed, start, start + 20)),
      id: hexToBigInt(slice(packed, start + 20, start + 20 + width)),
    }
  })
}

async function assertSigned(
  { signer }: Contract,
  chainId: number,
  address: Address,
  voucher: MintVoucher,
  signature: Hex,
): Promise<void> {
  const domain = domains.get(address) ?? voucherDomain(chainId, address)
  domains.set(address, domain)
  if (!isAddressEqual(await signerOf(voucherHash(domain, voucher), signature), signer))
    throw new Reverted('InvalidSignature')
}

const transferHash = (tokenType: TokenType, chainId: number, address: Address, order: SignedTransfer): Hex =>
  hashTypedData(signedTransferTypedData(tokenType, chainId, address, order) as never)

function signerOf(hash: Hex, signature: Hex): Promise<Address> {
  const known = signatures.get(hash + signature) ?? recoverAddress({ hash, signature })
  signatures.set(hash + signature, known)
  return known
}

/** Under which a holder's nonce is among the used ones. */
export const nonceName = (from: Address, nonce: bigint): string => `${from} ${nonce}`
