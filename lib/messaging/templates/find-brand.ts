import type { AnyContext } from '../../platform/auth/context.ts'
import { mailLogoUrlOf } from '../../records/media/mail-pictures.ts'
import { mediaCidOf } from '../../records/media/media-urls.ts'
import { findSeller, type Seller } from '../../organizations/find-seller.ts'
import { type Brand, NO_BRAND } from './layout.ts'

/** The brand for platform templates; `NO_BRAND` for mail that no organization sends. */
export async function findBrand(ctx: AnyContext, organizationId: string | null): Promise<Brand> {
  const seller = organizationId === null ? null : await findSeller(ctx, organizationId)
  return seller ? brandOf(seller, ctx.ports.addresses.origin) : NO_BRAND
}

export function brandOf({ logo_url, colour, footer, contactEmail, showsVitrine }: Seller, origin: string): Brand {
  const logo = logo_url === null ? null : mediaCidOf(logo_url, origin)
  return { logoUrl: logo && mailLogoUrlOf(logo, origin), colour, footer, contactEmail, showsVitrine }
}
