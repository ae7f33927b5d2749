import { type Organization, Prisma } from '../../generated/prisma/client.ts'
import type { updateOrganization as endpoint } from '../platform/api/organizations.ts'
import type { Input } from '../platform/api/endpoint.ts'
import type { Context } from '../platform/auth/context.ts'
import { fieldError } from '../core/errors.ts'
import { mediaUrlsOf, absoluteUrlOf, mediaStemOf, assertUploadedFiles } from '../records/media/media-urls.ts'

type BrandBody = Input<typeof endpoint>['body']['brand']
type Row = Pick<Organization, 'brand'>
export type Brand = { logo_url: string | null; colour: string | null; footer: string | null }

const storedOf = ({ brand }: Row): Brand => ({
  logo_url: null,
  colour: null,
  footer: null,
  ...(brand as Partial<Brand> | null),
})

/** The look of an organization's mail, with the logo's full URL. */
export function shownBrandOf(row: Row, origin: string): Brand {
  const { logo_url, ...others } = storedOf(row)
  return { ...others, logo_url: absoluteUrlOf(logo_url, origin) }
}

/**
 * A field left out stays, null clears it. The logo is stored as the path of its `thumb` size, which stays valid when
 * the installation's origin changes.
 */
export function updatedBrandOf(
  row: Row,
  given: BrandBody,
  origin: string,
): Prisma.InputJsonObject | typeof Prisma.DbNull | undefined {
  if (given === undefined) return undefined
  if (given === null) return Prisma.DbNull
  const before = storedOf(row)
  const stem = given.logo_url ? mediaStemOf(given.logo_url, origin) : null
  const logo = given.logo_url === undefined ? before.logo_url : stem && mediaUrlsOf(stem, '').thumb
  return {
    logo_url: logo,
    colour: given.colour === undefined ? before.colour : given.colour,
    footer: (given.footer === undefined ? before.footer : given.footer) || null,
  }
}

/**
 * Throws `image_invalid` unless the logo is an uploaded file of this organization: a mail must not load images from
 * other servers.
 */
export async function assertOwnLogo(ctx: Context, logo: string | null | undefined): Promise<void> {
  if (!logo) return
  if (mediaStemOf(logo, ctx.ports.addresses.origin) === null)
    throw fieldError(
      'image_invalid',
      'brand.logo_url',
      'The logo must be a file uploaded here. Upload it under Media and take its address.',
    )
  await assertUploadedFiles(ctx, [{ url: logo, field: 'brand.logo_url' }])
}
