import type { Address } from 'viem'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { newId } from '../../lib/core/id.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import type { TestChain } from './chain.ts'
import { makeRandomAddress } from './claims.ts'
import { catchUpWith } from './indexing.ts'
import type { TestOrganization } from './organization.ts'
import { makeOnChainCollection } from './sending.ts'

/** What disagrees: the check and what it is about. */
export const findDisagreements = async (): Promise<[check: string, subject: string][]> =>
  (await verifyRecords(systemContext('test'))).map(({ check, subject }) => [check, subject])

/** Makes these the chains of this process. */
export const setChains = (...chains: Chain[]): void =>
  replacePorts({ chains: new Map(chains.map((chain) => [chain.network.id, chain])) })

/**
 * Ends the comparison of all collections that are there, so that what a test has made wrong is no concern of the next
 * one.
 */
export const forgetCollections = async (): Promise<void> =>
  void (await systemContext('test').db.collection.updateMany({
    where: {},
    data: { following: false, deploymentStatus: 'FAILED' },
  }))

/** A collection on the chain whose first item is minted to an address; all of it is entered. */
export async function makeMinted(
  organization: TestOrganization,
  testChain: TestChain,
  { variant = 'ERC721' as 'ERC721' | 'ERC1155', items = 3, to = makeRandomAddress() as Address } = {},
) {
  const onChain = await makeOnChainCollection(organization, testChain, {
    variant,
    items,
    ...(variant === 'ERC1155' && { max_supply: 10 }),
  })
  const { body } = await onChain.api.post('/v1/mint-requests', { item_id: onChain.itemIds[0], to_address: to })
  await onChain.sender.run()
  await catchUpWith(testChain.chain)
  const mintId = body.mint_requests[0].id as string
  const { txHash } = await organization.ctx.db.mintRequest.findFirstOrThrow({ where: { id: mintId } })
  const place = { id: onChain.collectionId, organizationId: organization.id, networkId: 31337 }
  return { ...onChain, mintId, txHash: txHash!, place }
}

/** An ERC-721 collection that is recorded as entered with its network's cursor. */
export async function makeFollowedCollection(
  organization: TestOrganization,
  contract: { networkId: number; deploymentType: 'PLATFORM' | 'EXTERNAL'; contractAddress: Address },
): Promise<string> {
  const id = newId()
  await organization.ctx.db.collection.create({
    data: {
      id,
      organizationId: organization.id,
      name: id,
      mode: 'TEST',
      tokenType: 'ERC721',
      deploymentStatus: 'SUCCESS',
      following: true,
      ...contract,
    },
  })
  return id
}
