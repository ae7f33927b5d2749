import type { Organization } from '../../../generated/prisma/client.ts'
import type { AnyContext } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { shownBrandOf } from '../../organizations/brand.ts'
import { type Brand, NO_BRAND } from './layout.ts'

const BRAND: Statement = {
  name: 'brand_of_organization',
  text: 'SELECT brand FROM organizations WHERE id = $1::uuid',
}

/** The brand for platform templates; `NO_BRAND` for mail that no organization sends. */
export async function findBrand(ctx: AnyContext, organizationId: string | null): Promise<Brand> {
  if (!organizationId) return NO_BRAND
  const [organization] = await ctx.rows<Pick<Organization, 'brand'>>(BRAND, organizationId)
  if (!organization) return NO_BRAND
  const { logo_url: logoUrl, ...others } = shownBrandOf(organization, ctx.ports.addresses.origin)
  return { logoUrl, ...others }
}
