import type { StatementContext } from '../../platform/auth/context.ts'
import { AppError, type FieldError } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'

/** The sizes in which each file is stored. The CID is that of `original` and names all four. */
export const SIZES = ['original', 'full', 'thumb', 'tiny'] as const
export type Size = (typeof SIZES)[number]

const MEDIA_PATH = /^\/media\/(baf[a-z2-7]{50,100})-(?:original|full|thumb|tiny)\.webp$/

export const fileNameOf = (cid: string, size: Size): string => `${cid}-${size}.webp`

/** The URLs of a file's four sizes. */
export function mediaUrlsOf(cid: string, origin: string): Record<Size, string> {
  const urlOf = (size: Size) => `${origin}/media/${fileNameOf(cid, size)}`
  return { original: urlOf('original'), full: urlOf('full'), thumb: urlOf('thumb'), tiny: urlOf('tiny') }
}

/** The path of a URL on our own origin; null when it leads elsewhere. */
const localPathOf = (url: string, origin: string): string | null =>
  url.startsWith('/') ? url : url.startsWith(`${origin}/`) ? url.slice(origin.length) : null

/** The CID of the stored file that a URL or path names; null when it names something else. */
export const mediaCidOf = (url: string, origin: string): string | null =>
  MEDIA_PATH.exec(localPathOf(url, origin) ?? '')?.[1] ?? null

/** A URL that may be a path on our origin, as a full URL. */
export const absoluteUrlOf = <T extends string | null>(url: T, origin: string): T =>
  url?.startsWith('/') ? (`${origin}${url}` as T) : url

/** An image URL from a request, and the field that holds it. */
export type ImageReference = { url: unknown; field: string }

const FIND_FILES: Statement = {
  name: 'find_uploaded_files',
  text: 'SELECT cid FROM media_files WHERE organization_id = $1::uuid AND cid = ANY($2::text[])',
}

/** Throws `image_invalid` for each URL that must be an uploaded file and is none of this organization. Other URLs are fetched later. */
export async function assertUploadedFiles(
  ctx: Pick<StatementContext, 'rows' | 'organizationId' | 'ports'>,
  images: readonly ImageReference[],
): Promise<void> {
  const { origin } = ctx.ports.addresses
  const given = images.flatMap(({ url, field }) =>
    typeof url === 'string' && mustBeUploaded(url, origin) ? [{ field, cid: mediaCidOf(url, origin) }] : [],
  )
  if (given.length === 0) return
  const cids = given.flatMap(({ cid }) => cid ?? [])
  const known = new Set<string | null>(
    (await ctx.rows<{ cid: string }>(FIND_FILES, ctx.organizationId, cids)).map(({ cid }) => cid),
  )
  const faults = given
    .filter(({ cid }) => !known.has(cid))
    .map(({ field }): FieldError => ({ field, code: 'image_invalid', detail: UNKNOWN }))
  if (faults.length > 0) throw new AppError('image_invalid', `${faults[0]!.field}: ${UNKNOWN}`, { fields: faults })
}

const UNKNOWN = 'There is no uploaded file at this address. Upload it first, or name an https address.'

/** The schema accepts plain http only because this installation's own origin may lack https; other servers need https. */
const mustBeUploaded = (url: string, origin: string): boolean =>
  localPathOf(url, origin)?.startsWith('/media/') === true || !url.startsWith('https:')
