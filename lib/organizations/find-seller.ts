import type { Organization } from '../../generated/prisma/client.ts'
import { type Accents, accentsOf } from '../core/contrast.ts'
import { type Locale, localeOf } from '../core/locales.ts'
import { shownEmail } from '../core/shown-email.ts'
import { columns, type RowOf } from '../db/columns.ts'
import type { Statement } from '../db/statements.ts'
import type { AnyContext } from '../platform/auth/context.ts'
import { type Brand, shownBrandOf } from './brand.ts'
import { shownDomainOf } from './web-domain.ts'

/** The columns of `published_seller() o`. */
export const SELLER_COLUMNS = columns('o', 'Organization', [
  'name',
  'brand',
  'termsUrl',
  'contactEmail',
  'showsVitrine',
  'webDomain',
  'webDomainFoundAt',
  'locale',
])
export type SellerRow = RowOf<typeof SELLER_COLUMNS>

/** The parts of an organization that recipients and buyers see. */
export type Seller = Brand & {
  id: string
  name: string
  accents: Accents | null
  /** Null unless its owner says right now that it is this organization's. */
  domain: string | null
  termsUrl: string | null
  contactEmail: string | null
  /** The contact's email address as people read it. */
  contactShown: string | null
  showsVitrine: boolean
  /** The language of its pages and mails, where nobody chose another. */
  locale: Locale
  /** Built-in words of mails that it replaces; only where it is read for mails. */
  words?: unknown
}

const SELLER: Statement = {
  name: 'seller',
  text: `SELECT ${SELLER_COLUMNS}, o.words FROM organizations o WHERE o.id = $1::uuid`,
}

/** Whose page or mail it is; null for an unknown organization. */
export async function findSeller(ctx: AnyContext, organizationId: string): Promise<Seller | null> {
  const [row] = await ctx.rows<SellerRow & Pick<Organization, 'words'>>(SELLER, organizationId)
  return row ? { ...sellerOf(row, organizationId, ctx), words: row.words } : null
}

export function sellerOf(
  row: SellerRow,
  organizationId: string,
  { ports, now }: Pick<AnyContext, 'ports' | 'now'>,
): Seller {
  const brand = shownBrandOf(row, ports.addresses.origin)
  return {
    ...brand,
    id: organizationId,
    name: row.name,
    accents: brand.colour === null ? null : accentsOf(brand.colour),
    domain: shownDomainOf(row, now()),
    termsUrl: row.termsUrl,
    contactEmail: row.contactEmail,
    contactShown: row.contactEmail && shownEmail(row.contactEmail),
    showsVitrine: row.showsVitrine,
    locale: localeOf(row.locale),
  }
}
