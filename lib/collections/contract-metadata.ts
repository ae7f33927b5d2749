import { zeroAddress } from 'viem'
import { asDeployed } from '../auth/authenticate.ts'
import type { Context } from '../auth/context.ts'
import { notFound } from '../core/errors.ts'

/** A collection's metadata as marketplaces read it from its contract's `contractURI`; private collections too. */
export async function contractMetadata(ctx: Context, collectionId: string) {
  const collection = await asDeployed(ctx).db.collection.findFirst({ where: { id: collectionId } })
  if (!collection) throw notFound()
  const { name, symbol, description, imageUrl, headerImageUrl, thumbnailImageUrl, externalLink, royaltyReceiver, royaltyBps } = collection
  const image = imageUrl ?? thumbnailImageUrl
  return {
    name,
    ...(symbol && { symbol }),
    ...(description && { description }),
    ...(image && { image }),
    ...(headerImageUrl && { banner_image: headerImageUrl }),
    ...(thumbnailImageUrl && { featured_image: thumbnailImageUrl }),
    ...(externalLink && { external_link: externalLink }),
    ...(royaltyReceiver && royaltyReceiver !== zeroAddress && { seller_fee_basis_points: royaltyBps ?? 0, fee_recipient: royaltyReceiver }),
  }
}
