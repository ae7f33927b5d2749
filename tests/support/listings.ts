import { newId } from '../../lib/core/id.ts'
import { createListing } from '../../lib/offers/listings/create-listing.ts'
import { makeRandomAddress, makeItem } from './claims.ts'
import type { TestOrganization } from './organization.ts'

type Body = Parameters<typeof createListing>[1]

/** A deployed ERC-721 collection with `count` locked items of token ids 1, 2, …. */
export async function makePool({ ctx, id: organizationId }: TestOrganization, count: number) {
  const collectionId = newId()
  await ctx.db.collection.create({
    data: {
      id: collectionId,
      organizationId,
      name: newId(),
      mode: 'TEST',
      networkId: 31337,
      tokenType: 'ERC721',
      deploymentType: 'PLATFORM',
      deploymentStatus: 'SUCCESS',
      contractAddress: makeRandomAddress(),
      following: true,
    },
  })
  const itemIds = Array.from({ length: count }, newId)
  await ctx.db.item.createMany({
    data: itemIds.map((id, at) => ({
      id,
      organizationId,
      collectionId,
      attributes: { title: `Item ${at + 1}` },
      tokenId: String(at + 1),
      lockedAt: new Date(),
      maxSupply: 1n,
    })),
  })
  return { collectionId, itemIds }
}

/** A listing of an edition, free and minted by the organization unless `more` differs. */
export async function makeListing(
  organization: TestOrganization,
  { units = 10n, ...more }: Partial<Body> & { units?: bigint } = {},
) {
  const of =
    more.item_id || more.collection_id
      ? {}
      : { item_id: (await makeItem(organization, { tokenType: 'ERC1155', maxSupply: units })).itemId }
  const listing = await createListing(organization.ctx, {
    quantity_listed: units,
    price: 0n,
    currency: 'ETH',
    payment_providers: ['ORGANIZATION'],
    ...of,
    ...more,
  })
  return listing
}
