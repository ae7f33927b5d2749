import type { AnyContext } from '../../platform/auth/context.ts'
import { shownBrandOf } from '../../organizations/brand.ts'
import { type Brand, NO_BRAND } from './layout.ts'

/** The brand for platform templates; `NO_BRAND` for mail that no organization sends. */
export async function findBrand(ctx: AnyContext, organizationId: string | null): Promise<Brand> {
  if (!organizationId) return NO_BRAND
  const organization = await ctx.db.organization.findFirst({ where: { id: organizationId }, select: { brand: true } })
  if (!organization) return NO_BRAND
  const { logo_url: logoUrl, ...others } = shownBrandOf(organization, ctx.ports.addresses.origin)
  return { logoUrl, ...others }
}
