import type { SystemContext } from '../../platform/auth/context.ts'
import type { EmbeddedPage } from '../../platform/http/frame-ancestors.ts'

/** The origins at which the seller allows the page of a listing or a purchase in a frame; none for an unknown id. */
export async function findEmbedOrigins({ db }: Pick<SystemContext, 'db'>, page: EmbeddedPage): Promise<string[]> {
  const { kind, id } = page
  const owner =
    kind === 'listing'
      ? await db.listing.findUnique({ where: { id }, select: { organizationId: true } })
      : await db.purchaseIntent.findUnique({ where: { id }, select: { organizationId: true } })
  if (!owner) return []
  const organization = await db.organization.findUnique({
    where: { id: owner.organizationId },
    select: { embedOrigins: true },
  })
  return organization?.embedOrigins ?? []
}
