import { fileTypeFromBuffer } from 'file-type'
import { isSequence } from './formats/avif.ts'
import type { Kind } from './media-urls.ts'

/**
 * `drawn`: what is encoded anew: a drawing, and what our decoder reads only in part. `losesMovement`: of it only a
 * still picture is stored.
 */
export type PictureKind = { kind: Kind | 'drawn'; isSvg: boolean; losesMovement: boolean }

/** Accepted types, detected from the content, not from the file name. */
const BY_TYPE: Partial<Record<string, Kind>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
}

/** null: not a picture of an accepted kind. */
export async function pictureKindOf(bytes: Buffer): Promise<PictureKind | null> {
  const mime = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
  if (mime === undefined || mime === 'application/xml')
    return isSvg(bytes) ? { kind: 'drawn', isSvg: true, losesMovement: svgMoves(bytes) } : null
  const kind = BY_TYPE[mime]
  if (!kind) return null
  const isPartlyRead = kind === 'avif' && isSequence(bytes)
  return {
    kind: isPartlyRead ? 'drawn' : kind,
    isSvg: false,
    losesMovement: isPartlyRead || mime === 'image/apng',
  }
}

function isSvg(bytes: Buffer): boolean {
  const head = bytes.toString('utf8', 0, 4096)
  return /^\uFEFF?\s*<(?:\?xml|!--|!DOCTYPE|svg)/i.test(head) && /<svg[\s>]/i.test(head)
}

/** Animation elements of SVG and animations of CSS. What a script would move isn't found. */
const svgMoves = (bytes: Buffer): boolean =>
  /<(?:\w{1,20}:)?(?:animate\w{0,20}|set)[\s/>]|@(?:-\w{1,10}-)?keyframes\b/i.test(bytes.toString('latin1'))
