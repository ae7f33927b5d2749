import type { Address } from 'viem'
import { asDeployed, buyerContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { AppError, fieldError, unknownId } from '../../core/errors.ts'
import { takesSignedTransfers } from '../../core/contracts/signed-transfers.ts'

/** A token that a holder wants to send, and the network to ask. `ctx`: the context of its organization. */
export type Token = {
  ctx: Context
  chain: Chain
  collectionId: string
  itemId: string
  contract: Address
  tokenType: 'ERC721' | 'ERC1155'
  tokenId: bigint
  isSoulbound: boolean
  takesSignatures: boolean
  /** Addresses of the organization and of its contract. */
  own: (string | null)[]
}

type Named = {
  collection_id?: string | null | undefined
  network_id?: number | null | undefined
  contract_address?: string | null | undefined
  token_id: bigint
}

/** Private collections are found, too: who holds a token of them is public on the chain. Throws `not_found`. */
export async function findToken(anyone: Context, { token_id: tokenId, ...named }: Named): Promise<Token> {
  const { where, field } = placeOf(named)
  const found = await asDeployed(anyone).db.collection.findFirst({ where, select: { id: true, organizationId: true } })
  if (!found) throw unknownId(field, 'collection')
  const ctx = buyerContext(anyone, found.organizationId)
  const [collection, item, organization] = await Promise.all([
    ctx.db.collection.findFirstOrThrow({ where: { id: found.id } }),
    ctx.db.item.findFirst({
      where: { collectionId: found.id, tokenId: String(tokenId), lockedAt: { not: null } },
      select: { id: true },
    }),
    ctx.db.organization.findFirstOrThrow({ where: { id: found.organizationId }, select: { payoutAddress: true } }),
  ])
  const { networkId, contractAddress, tokenType, soulbound, minter, signer } = collection
  if (!item || networkId === null || !contractAddress || !tokenType)
    throw fieldError('not_found', 'token_id', `This collection has no token ${tokenId}.`)
  const chain = ctx.ports.chains.get(networkId)
  if (!chain)
    throw new AppError('unavailable', 'The blockchain network of this item is not connected right now.', {
      retryAfterSeconds: 60,
    })
  return {
    ctx,
    chain,
    collectionId: collection.id,
    itemId: item.id,
    contract: contractAddress as Address,
    tokenType,
    tokenId,
    isSoulbound: soulbound,
    takesSignatures: collection.deploymentType === 'PLATFORM' && takesSignedTransfers(collection),
    own: [organization.payoutAddress, contractAddress, minter, signer, ...ctx.ports.keys.operators],
  }
}

function placeOf({ collection_id, network_id, contract_address }: Omit<Named, 'token_id'>) {
  const byContract = network_id != null && contract_address != null
  if ((collection_id != null) === byContract || (collection_id != null && (network_id ?? contract_address) != null))
    throw fieldError(
      'invalid_request',
      'collection_id',
      'Give either collection_id, or network_id and contract_address.',
      'exactly_one',
    )
  return collection_id != null
    ? { where: { id: collection_id }, field: 'collection_id' }
    : { where: { networkId: network_id!, contractAddress: contract_address! }, field: 'contract_address' }
}
