import { type Address, decodeAbiParameters, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import type { z } from 'zod'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { deploymentRequest } from '../../platform/api/deployments.ts'
import { type Context, isTestKey } from '../../platform/auth/context.ts'
import { CONTRACTS_VERSION } from '../../core/contracts/abi.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { cloneAddress, encodeCloneArgs, ROLES, saltOf } from '../../core/contracts/calls.ts'
import { VERSION_BEFORE_SIGNED_TRANSFERS } from '../../core/contracts/signed-transfers.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { lineOf } from '../../core/line-of.ts'
import { readContractVersion } from './read-contract-version.ts'

export type DeploymentBody = z.output<typeof deploymentRequest>
type Terms = { id: string; name: string; royaltyReceiver: string | null; royaltyBps: number | null }

/** A valid deployment request, with everything that had to be read from the chain. */
export type PreparedDeployment = {
  networkId: number
  /** The deployment's columns of the collection's row. */
  columnsFor: (collection: Terms) => Prisma.CollectionUncheckedUpdateInput
  needsTransaction: boolean
}

/**
 * Validates a deployment request and reads from the chain, so call it outside of transactions. Throws
 * `network_unavailable`, `mode_mismatch` and `deployment_invalid`.
 */
export async function prepareDeployment(ctx: Context, body: DeploymentBody): Promise<PreparedDeployment> {
  const chain = ctx.ports.chains.get(body.network_id)
  if (!chain)
    throw fieldError('network_unavailable', 'network_id', `This installation is not on network ${body.network_id}.`)
  if (isTestKey(ctx.actor) && !chain.network.testnet)
    throw fieldError(
      'mode_mismatch',
      'network_id',
      `${chain.network.name} is not a testnet: a TEST key deploys to testnets only.`,
    )
  const common = {
    networkId: chain.network.id,
    mode: chain.network.testnet ? ('TEST' as const) : ('LIVE' as const),
    tokenIdAssignment: body.token_id_assignment_strategy ?? ('AUTOMATIC' as const),
    indexedTo: null,
  }
  return body.type === 'EXTERNAL'
    ? prepareExternal(ctx, chain, body.external!, common)
    : preparePlatform(ctx, chain, body.platform!, common)
}

type Common = { networkId: number; mode: 'TEST' | 'LIVE'; tokenIdAssignment: 'AUTOMATIC' | 'MANUAL'; indexedTo: null }

function preparePlatform(
  ctx: Context,
  { network }: Chain,
  platform: NonNullable<DeploymentBody['platform']>,
  common: Common,
): PreparedDeployment {
  const { contracts } = network
  const minter = ctx.ports.keys.operators[0]
  if (!contracts || !minter)
    throw fieldError('network_unavailable', 'network_id', `This installation can’t deploy on ${network.name} yet.`)
  const tokenType = platform.variant
  const implementation = tokenType === 'ERC721' ? contracts.implementation721 : contracts.implementation1155
  const owner = (platform.owner as Address | null | undefined) ?? minter
  const maxSupply = platform.max_supply ?? null
  const soulbound = platform.soulbound ?? false
  const columnsFor: PreparedDeployment['columnsFor'] = (collection) => {
    const signer = ctx.ports.keys.voucherSigner(collection.id)
    const args = encodeCloneArgs({
      tokenType,
      collectionId: collection.id,
      name: collection.name,
      symbol: platform.symbol,
      owner,
      minter,
      signer,
      maxSupply,
      manualIds: common.tokenIdAssignment === 'MANUAL',
      soulbound,
      royaltyReceiver: collection.royaltyReceiver as Address | null,
      royaltyBps: collection.royaltyBps ?? 0,
    })
    return {
      ...common,
      deploymentType: 'PLATFORM',
      deploymentStatus: 'PENDING',
      tokenType,
      symbol: platform.symbol,
      maxSupply,
      soulbound,
      owner,
      minter,
      signer,
      implementation,
      cloneArgs: args,
      contractVersion: CONTRACTS_VERSION,
      contractAddress: cloneAddress({ factory: contracts.factory, implementation, salt: saltOf(collection.id), args }),
    }
  }
  return { networkId: network.id, columnsFor, needsTransaction: true }
}

const CONTRACT_ABI = parseAbi([
  'function supportsInterface(bytes4 id) view returns (bool)',
  'function symbol() view returns (string)',
  'function rolesOf(address account) view returns (uint256)',
  'function owner() view returns (address)',
])
const INTERFACES = { ERC721: '0x80ac58cd', ERC1155: '0xd9b67a26' } as const satisfies Record<string, Hex>

async function prepareExternal(
  ctx: Context,
  chain: Chain,
  external: NonNullable<DeploymentBody['external']>,
  common: Common,
): Promise<PreparedDeployment> {
  const contract = external.address as Address
  const tokenType = external.token_type
  if ((await chain.code(contract)) === null)
    throw fieldError(
      'deployment_invalid',
      'external.address',
      `There is no contract at this address on ${chain.network.name}.`,
    )
  const supported = await callContract(
    chain,
    contract,
    'bool',
    encodeFunctionData({ abi: CONTRACT_ABI, functionName: 'supportsInterface', args: [INTERFACES[tokenType]] }),
  )
  if (supported !== true)
    throw fieldError(
      'deployment_invalid',
      'external.token_type',
      `This contract does not say that it is an ${tokenType} contract.`,
    )

  const symbol = await callContract(
    chain,
    contract,
    'string',
    encodeFunctionData({ abi: CONTRACT_ABI, functionName: 'symbol' }),
  )
  const owner = await callContract(
    chain,
    contract,
    'address',
    encodeFunctionData({ abi: CONTRACT_ABI, functionName: 'owner' }),
  )
  const minter = await findMintingOperator(ctx, chain, contract)
  const contractVersion =
    minter && ((await readContractVersion(chain, tokenType, contract)) ?? VERSION_BEFORE_SIGNED_TRANSFERS)
  const columns = {
    ...common,
    deploymentType: 'EXTERNAL',
    deploymentStatus: 'SUCCESS',
    deployedAt: ctx.now(),
    tokenType,
    symbol: lineOf(symbol, 255) ?? null,
    maxSupply: null,
    soulbound: false,
    owner: typeof owner === 'string' ? getAddress(owner) : null,
    minter,
    signer: null,
    implementation: null,
    cloneArgs: null,
    contractVersion,
    contractAddress: getAddress(contract),
  } satisfies Prisma.CollectionUncheckedUpdateInput
  return { networkId: chain.network.id, columnsFor: () => columns, needsTransaction: false }
}

/** The first of our operators with the minter role, if the contract has Solady's `rolesOf`; otherwise null. */
async function findMintingOperator(ctx: Context, chain: Chain, contract: Address): Promise<Address | null> {
  for (const operator of ctx.ports.keys.operators) {
    const roles = await callContract(
      chain,
      contract,
      'uint256',
      encodeFunctionData({ abi: CONTRACT_ABI, functionName: 'rolesOf', args: [operator] }),
    )
    if (typeof roles === 'bigint' && (roles & ROLES.MINTER) !== 0n) return operator
  }
  return null
}

/** Calls a foreign contract. null when it reverts or returns another type; throws when the network is unavailable. */
async function callContract(
  chain: Chain,
  to: Address,
  type: 'bool' | 'string' | 'address' | 'uint256',
  data: Hex,
): Promise<unknown> {
  const simulation = await chain.simulate({ to, data })
  if (!simulation.ok) return null
  try {
    const [answer] = decodeAbiParameters([{ type }], await chain.read({ to, data }))
    return answer
  } catch (error) {
    if (error instanceof Error && error.name === 'ChainUnavailable') throw error
    return null
  }
}

/** The error for a collection that already has a contract. */
export const alreadyDeployed = () =>
  new AppError('collection_already_deployed', 'This collection’s contract is deployed, or on its way.')
