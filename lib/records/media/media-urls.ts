import type { StatementContext } from '../../platform/auth/context.ts'
import { AppError, type FieldError } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'

/** The sizes in which each file is stored. */
export const SIZES = ['original', 'full', 'thumb', 'tiny'] as const
export type Size = (typeof SIZES)[number]
/** Content types of originals by what their files end with. */
export const CONTENT_TYPES = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
} as const
export type Kind = keyof typeof CONTENT_TYPES

/**
 * The beginning of the names of a file's four sizes: the CID of its original, and the original's kind. Of a file that
 * was stored before originals were kept as they are given, the CID alone.
 */
const STEM = `baf[a-z2-7]{50,100}(?:-(?:${Object.keys(CONTENT_TYPES).join('|')}))?`
const MEDIA_PATH = new RegExp(`^/media/(${STEM})-(original|full|thumb|tiny)\\.[a-z]{3,4}$`)
export const STEM_PATTERN = new RegExp(`^${STEM}$`)

export const stemOf = ({ cid, kind }: { cid: string; kind: string | null }): string =>
  kind === null ? cid : `${cid}-${kind}`

/** The CID and the kind in a stem. */
export function partsOf(stem: string): { cid: string; kind: string | null } {
  const [cid = '', kind = null] = stem.split('-')
  return { cid, kind }
}

export const fileNameOf = (stem: string, size: Size): string =>
  `${stem}-${size}.${size === 'original' ? (partsOf(stem).kind ?? 'webp') : 'webp'}`

/** The URLs of a file's four sizes. */
export function mediaUrlsOf(stem: string, origin: string): Record<Size, string> {
  const urlOf = (size: Size) => `${origin}/media/${fileNameOf(stem, size)}`
  return { original: urlOf('original'), full: urlOf('full'), thumb: urlOf('thumb'), tiny: urlOf('tiny') }
}

/** The path of a URL on our own origin; null when it leads elsewhere. */
const localPathOf = (url: string, origin: string): string | null =>
  url.startsWith('/') ? url : url.startsWith(`${origin}/`) ? url.slice(origin.length) : null

/** The stem of the stored file that a URL or path names; null when it names something else. */
export function mediaStemOf(url: string, origin: string): string | null {
  const path = localPathOf(url, origin) ?? ''
  const [, stem, size] = MEDIA_PATH.exec(path) ?? []
  return stem !== undefined && path === `/media/${fileNameOf(stem, size as Size)}` ? stem : null
}

/** A URL that may be a path on our origin, as a full URL. */
export const absoluteUrlOf = <T extends string | null>(url: T, origin: string): T =>
  url?.startsWith('/') ? (`${origin}${url}` as T) : url

/**
 * A URL that may be a path on our origin, as a full URI of RFC 3986: wallets and marketplaces don't escape blanks and
 * letters with marks. A text that is no URL stays.
 */
export function escapedUrlOf(text: string, origin: string): string {
  const url = absoluteUrlOf(text, origin)
  return IS_URI.test(url) || !URL.canParse(url) ? url : new URL(url).href
}
const IS_URI = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/

/** An image URL from a request, and the field that holds it. */
export type ImageReference = { url: unknown; field: string }

const FIND_FILES: Statement = {
  name: 'find_uploaded_files',
  text: 'SELECT cid, kind FROM media_files WHERE organization_id = $1::uuid AND cid = ANY($2::text[])',
}

/**
 * Throws `image_invalid` for each URL that must be an uploaded file and is none of this organization. Other URLs are
 * fetched later.
 */
export async function assertUploadedFiles(
  ctx: Pick<StatementContext, 'rows' | 'organizationId' | 'ports'>,
  images: readonly ImageReference[],
): Promise<void> {
  const { origin } = ctx.ports.addresses
  const given = images.flatMap(({ url, field }) =>
    typeof url === 'string' && mustBeUploaded(url, origin) ? [{ field, stem: mediaStemOf(url, origin) }] : [],
  )
  if (given.length === 0) return
  const cids = given.flatMap(({ stem }) => (stem === null ? [] : partsOf(stem).cid))
  const files = await ctx.rows<Parameters<typeof stemOf>[0]>(FIND_FILES, ctx.organizationId, cids)
  const known = new Set<string | null>(files.map(stemOf))
  const faults = given
    .filter(({ stem }) => !known.has(stem))
    .map(({ field }): FieldError => ({ field, code: 'image_invalid', detail: UNKNOWN }))
  if (faults.length > 0) throw new AppError('image_invalid', `${faults[0]!.field}: ${UNKNOWN}`, { fields: faults })
}

const UNKNOWN = 'There is no uploaded file at this address. Upload it first, or name an https address.'

/**
 * The schema accepts plain http only because this installation's own origin may lack https; other servers need https.
 */
const mustBeUploaded = (url: string, origin: string): boolean =>
  localPathOf(url, origin)?.startsWith('/media/') === true || !url.startsWith('https:')
