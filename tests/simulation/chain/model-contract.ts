import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  getAddress,
  hexToBigInt,
  hexToBytes,
  isAddressEqual,
  numberToHex,
  parseAbi,
  recoverAddress,
  slice,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { vitrine721Abi, vitrineFactoryAbi } from '../../../lib/core/contracts/abi.ts'
import { cloneAddress, cloneCode } from '../../../lib/core/contracts/calls.ts'
import { type MintVoucher, voucherDomain, voucherHash, voucherValue } from '../../../lib/core/contracts/vouchers.ts'

export const FACTORY: Address = getAddress(`0x${'fa'.repeat(20)}`)
export const IMPLEMENTATION_721: Address = getAddress(`0x${'72'.repeat(20)}`)
export const IMPLEMENTATION_1155: Address = getAddress(`0x${'15'.repeat(20)}`)

/** A deployed ERC-721 collection. Ids are decimal texts. */
type Contract = {
  code: Hex
  minter: Address
  signer: Address
  owners: Record<string, Address>
  lowestNonces: Record<string, bigint>
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

type ErrorName = Extract<(typeof vitrine721Abi)[number], { type: 'error' }>['name']

class Reverted extends Error {
  readonly data: Hex
  constructor(name: ErrorName) {
    super(name)
    this.data = encodeErrorResult({ abi: vitrine721Abi, errorName: name } as never)
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
    return await call721(contract, chainId, call, time)
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
    code: cloneCode(implementation, terms),
    minter: getAddress(slice(terms, ...MINTER_AT)),
    signer: getAddress(slice(terms, ...SIGNER_AT)),
    owners: {},
    lowestNonces: {},
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
  const done = (data: Hex = '0x'): Outcome => ({
    ok: true,
    data,
    logs,
    contracts: logs.length > 0 ? { [call.to]: { ...contract, owners, lowestNonces } } : {},
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
  const hash = voucherHash(domain, voucher)
  const known = signatures.get(hash + signature) ?? recoverAddress({ hash, signature })
  signatures.set(hash + signature, known)
  if (!isAddressEqual(await known, signer)) throw new Reverted('InvalidSignature')
}
