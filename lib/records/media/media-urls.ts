import type { Context } from '../../platform/auth/context.ts'
import { AppError, type FieldError } from '../../core/errors.ts'

/** Each file is kept in these, and `original` names the others: it is what the CID is of. */
export const SIZES = ['original', 'full', 'thumb', 'tiny'] as const
export type Size = (typeof SIZES)[number]

const MEDIA_PATH = /^\/media\/(baf[a-z2-7]{50,100})-(?:original|full|thumb|tiny)\.webp$/

export const fileNameOf = (cid: string, size: Size): string => `${cid}-${size}.webp`

/** Where the four sizes of a file are found. */
export function mediaUrlsOf(cid: string, origin: string): Record<Size, string> {
  const at = (size: Size) => `${origin}/media/${fileNameOf(cid, size)}`
  return { original: at('original'), full: at('full'), thumb: at('thumb'), tiny: at('tiny') }
}

/** The path of an address on our own origin; null when it leads elsewhere. */
const localPathOf = (address: string, origin: string): string | null =>
  address.startsWith('/') ? address : address.startsWith(`${origin}/`) ? address.slice(origin.length) : null

/** The CID of the file of ours that an address names, in full or by its path; null when it names something else. */
export const mediaCidOf = (address: string, origin: string): string | null =>
  MEDIA_PATH.exec(localPathOf(address, origin) ?? '')?.[1] ?? null

/** An address that may be a path of ours, in full. */
export const absoluteUrlOf = <T extends string | null>(address: T, origin: string): T =>
  address?.startsWith('/') ? (`${origin}${address}` as T) : address

/** An image that somebody names, and the place in the request where they do. */
export type ImageReference = { url: unknown; field: string }

/** Refuses what looks like a file of ours and is none that this organization has, each with its place. Everything else is fetched. */
export async function assertUploadedFiles(ctx: Context, named: readonly ImageReference[]): Promise<void> {
  const { origin } = ctx.ports.addresses
  const given = named.flatMap(({ url, field }) =>
    typeof url === 'string' && mustBeUploaded(url, origin) ? [{ field, cid: mediaCidOf(url, origin) }] : [],
  )
  if (given.length === 0) return
  const cids = given.flatMap(({ cid }) => cid ?? [])
  const known = new Set<string | null>(
    (await ctx.db.mediaFile.findMany({ where: { cid: { in: cids } }, select: { cid: true } })).map(({ cid }) => cid),
  )
  const faults = given
    .filter(({ cid }) => !known.has(cid))
    .map(({ field }): FieldError => ({ field, code: 'image_invalid', detail: UNKNOWN }))
  if (faults.length > 0) throw new AppError('image_invalid', `${faults[0]!.field}: ${UNKNOWN}`, { fields: faults })
}

const UNKNOWN = 'There is no uploaded file at this address. Upload it first, or name an https address.'

/** Plain http passes the schema for the sake of an installation that has no https, and for nobody else's. */
const mustBeUploaded = (address: string, origin: string): boolean =>
  localPathOf(address, origin)?.startsWith('/media/') === true || !address.startsWith('https:')
