import type { Context, AnyContext } from '../../platform/auth/context.ts'
import { type Locale, localeOf } from '../../core/locales.ts'
import { mailLogoUrlOf } from '../../records/media/mail-pictures.ts'
import { mediaStemOf } from '../../records/media/media-urls.ts'
import { findSeller, type Seller } from '../../organizations/find-seller.ts'
import { type Brand, NO_BRAND } from './layout.ts'
import { withOwnWords } from './own-words.ts'
import type { Surroundings } from './template-of-blocks.ts'

/** The look of an organization's mails, and the language of their own words: the organization's unless one is given. */
export async function findSurroundings(ctx: Context, given?: Locale | null): Promise<Surroundings> {
  return surroundingsOf(ctx, await findSeller(ctx, ctx.organizationId), given)
}

/**
 * The look of a seller's mails, and the language of their own words: the seller's unless one is given. null: mail that
 * no organization sends.
 */
export function surroundingsOf(
  ctx: Pick<AnyContext, 'ports'>,
  seller: Seller | null,
  given?: Locale | null,
): Surroundings {
  const { origin } = ctx.ports.addresses
  const locale = given ?? localeOf(seller?.locale)
  const brand = seller ? brandOf(seller, origin) : NO_BRAND
  const { words, refused } = withOwnWords(locale, seller?.words ?? null)
  return { brand, origin, locale, words, refusedWords: refused }
}

function brandOf({ logo_url, colour, footer, contactEmail, showsVitrine }: Seller, origin: string): Brand {
  const logo = logo_url === null ? null : mediaStemOf(logo_url, origin)
  return { logoUrl: logo && mailLogoUrlOf(logo, origin), colour, footer, contactEmail, showsVitrine }
}
