import type { Organization } from '../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { type Brand, NO_BRAND } from './layout.ts'

type Stored = { logo_url?: string | null; colour?: string | null; footer?: string | null } | null

/** An organization's look for the platform's templates. Its logo is kept by path, so that it moves with the installation. */
export const brandOf = ({ brand }: Pick<Organization, 'brand'>, origin: string): Brand => {
  const { logo_url = null, colour = null, footer = null } = (brand as Stored) ?? {}
  return { logoUrl: logo_url && new URL(logo_url, origin).href, colour, footer }
}

/** Of mail that no organization sends there is none. */
export async function findBrand(ctx: Context, organizationId: string | null): Promise<Brand> {
  if (!organizationId) return NO_BRAND
  const organization = await ctx.db.organization.findFirst({ where: { id: organizationId }, select: { brand: true } })
  return organization ? brandOf(organization, ctx.ports.addresses.origin) : NO_BRAND
}
