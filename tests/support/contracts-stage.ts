import { spawn, type ChildProcess } from 'node:child_process'
import {
  type BaseError,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  getAddress,
  http,
  parseCompactSignature,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import {
  vitrine1155Abi,
  vitrine1155Bytecode,
  vitrine721Abi,
  vitrine721Bytecode,
  type vitrineFactoryAbi,
  vitrineFactoryBytecode,
} from '../../lib/core/contracts/abi.ts'
import { cloneAddress, encodeCloneArgs, encodeCreate, saltOf, type CloneTerms } from '../../lib/core/contracts/calls.ts'
import { revertReason } from '../../lib/core/contracts/revert-reason.ts'
import { voucherTypedData, type MintVoucher } from '../../lib/core/contracts/vouchers.ts'
import { chainBinary } from '../../scripts/launcher/chain.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { receiptOf } from './receipt-of.ts'
import { makeTerms } from './voucher-terms.ts'

export const METADATA = 'http://localhost:3000/public/v1/metadata/'
// The development chain's well-known first accounts.
export const operator = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const buyer = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
export const signer = privateKeyToAccount(generatePrivateKey())
export const organization = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')

let anvil: ChildProcess
let rpcUrl: string
export let factory: Address
let implementation721: Address
let implementation1155: Address
let collections = 0

/**
 * Starts a chain with our factory and implementations before the tests of a file, which call them directly, and ends it
 * after them. Call it at the top of the file.
 */
export function contractsStage(): void {
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
}

export const chain = () => createPublicClient({ chain: foundry, transport: http(rpcUrl), pollingInterval: 10 })

export function termsOf(terms: Partial<CloneTerms>): CloneTerms {
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

export function cloneOf(terms: CloneTerms) {
  const implementation = terms.tokenType === 'ERC721' ? implementation721 : implementation1155
  return { factory, implementation, salt: saltOf(terms.collectionId), args: encodeCloneArgs(terms) }
}

export async function create(changed: Partial<CloneTerms>) {
  const terms = termsOf(changed)
  const clone = cloneOf(terms)
  await send(operator, factory, encodeCreate(clone))
  return { contract: cloneAddress(clone), terms }
}

export function voucherOf(changed: Partial<MintVoucher>): MintVoucher {
  return makeTerms({ minter: buyer.address, ...changed })
}

export function sign(contract: Address, voucher: MintVoucher): Promise<Hex> {
  return signer.signTypedData(voucherTypedData(31337, contract, voucher))
}

export function compact(signature: Hex): Hex {
  const short = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
  expect(parseCompactSignature(short).r).toBe(parseSignature(signature).r)
  return short
}

async function deploy(data: Hex): Promise<Address> {
  const receipt = await send(operator, null, data)
  return getAddress(receipt.contractAddress!)
}

export async function send(from: typeof operator, to: Address | null, data: Hex, value = 0n) {
  const wallet = createWalletClient({ account: from, chain: foundry, transport: http(rpcUrl) })
  const hash = await wallet.sendTransaction({ to, data, value })
  const receipt = await receiptOf(chain(), hash)
  expect(receipt.status).toBe('success')
  return receipt
}

export async function refusal(from: Address, to: Address, data: Hex, value = 0n): Promise<string> {
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
export function read(address: Address, abi: AnyAbi, functionName: string, args: unknown[] = []): Promise<unknown> {
  const call = { address, abi: abi as typeof vitrine721Abi, functionName: functionName as 'name', args: args as [] }
  return chain().readContract(call)
}
