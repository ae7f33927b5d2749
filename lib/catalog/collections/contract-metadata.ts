import { zeroAddress } from 'viem'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { escapedUrlOf } from '../../records/media/media-urls.ts'

/**
 * A collection's metadata, to which its contract's `contractURI` points (ERC-7572). Private collections have it too.
 */
export async function contractMetadata(ctx: Context, collectionId: string) {
  const collection = await asDeployed(ctx).db.collection.findFirst({ where: { id: collectionId } })
  if (!collection) throw notFound()
  const { name, symbol, description, externalLink, royaltyReceiver, royaltyBps } = collection
  const { origin } = ctx.ports.addresses
  const [imageUrl, banner, featured] = [
    collection.imageUrl,
    collection.headerImageUrl,
    collection.thumbnailImageUrl,
  ].map((url) => url && escapedUrlOf(url, origin))
  const image = imageUrl ?? featured
  return {
    name,
    ...(symbol && { symbol }),
    ...(description && { description }),
    ...(image && { image }),
    ...(banner && { banner_image: banner }),
    ...(featured && { featured_image: featured }),
    ...(externalLink && { external_link: escapedUrlOf(externalLink, origin) }),
    ...(royaltyReceiver &&
      royaltyReceiver !== zeroAddress && { seller_fee_basis_points: royaltyBps ?? 0, fee_recipient: royaltyReceiver }),
  }
}
