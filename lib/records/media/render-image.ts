import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { AppError } from '../../core/errors.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { rasterizeSvg } from './rasterize-svg.ts'
import type { Size } from './media-urls.ts'

/** Longest side of each size, in pixels. */
const MAX_SIDE_PIXELS = { original: 8192, full: 2048, thumb: 600, tiny: 64 } as const satisfies Record<Size, number>
/** All frames counted; checked against the header, before anything is decoded. Drawing takes up to 13 bytes of memory a pixel. */
export const MAX_PIXELS = 50_000_000
/** An SVG states its size freely: it may be larger, and is drawn at a size that keeps to MAX_PIXELS. */
const SVG_LIMITS = { longest: 7000, pixels: 100_000_000 }
export const RENDER_TIMEOUT_SECONDS = 60

/** Accepted types, detected from the content, not from the file name. */
const FORMATS = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif', 'image/avif'])

/** Rendering fills the CPU: two at a time leave the rest of the process responsive. */
export const withRenderSlot = oncePerProcess('image rendering', () => limitConcurrency(2))

export type RenderedImage = { copies: Record<Size, Uint8Array>; width: number; height: number }

/**
 * The image re-encoded as WebP in four sizes, without metadata or scripts. Animations stay animated in the two larger sizes. An SVG
 * is rasterized; external references in it are not loaded. Throws `image_invalid`.
 */
export const renderImage = (given: Uint8Array): Promise<RenderedImage> =>
  withRenderSlot(async () => {
    const format = await formatOf(given)
    if (format === null)
      throw imageInvalid('This is not an image of an accepted kind: JPEG, PNG, WebP, GIF, AVIF and SVG are accepted.')
    try {
      const bytes = format === 'svg' ? await rasterizeSvg(given, SVG_LIMITS) : given
      const original = await renderSize(bytes, 'original')
      const [full, thumb, tiny] = [
        await renderSize(bytes, 'full'),
        await renderSize(bytes, 'thumb'),
        await renderSize(bytes, 'tiny'),
      ]
      const { width, height, pageHeight } = await sharp(original, { animated: true }).metadata()
      return { copies: { original, full, thumb, tiny }, width, height: pageHeight ?? height }
    } catch (error) {
      throw imageInvalid(detailOf(error), error)
    }
  })

/** Applies the EXIF orientation and converts to sRGB; sharp then drops all metadata. */
const renderSize = (bytes: Uint8Array, size: Size): Promise<Uint8Array> =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: size === 'original' || size === 'full' })
    .rotate()
    .resize({ width: MAX_SIDE_PIXELS[size], height: MAX_SIDE_PIXELS[size], fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 88 })
    .timeout({ seconds: RENDER_TIMEOUT_SECONDS })
    .toBuffer()

const MAIL_PICTURE_PIXELS = 1200
/** Twice as large as mails show it. Its margin is for dark mails, which put it on white. */
const MAIL_LOGO_PIXELS = 256
const MAIL_LOGO_MARGIN = 12

/** A JPEG of a stored file, or of a drawing of ours: the first frame, on white where it is transparent. */
export const renderForMail = (stored: Uint8Array): Promise<Uint8Array> =>
  withRenderSlot(() =>
    sharp(stored, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .resize({
        width: MAIL_PICTURE_PIXELS,
        height: MAIL_PICTURE_PIXELS,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 84 })
      .timeout({ seconds: RENDER_TIMEOUT_SECONDS })
      .toBuffer(),
  )

/** A small PNG of a stored file. */
export const renderLogoForMail = (stored: Uint8Array): Promise<Uint8Array> =>
  withRenderSlot(() =>
    sharp(stored, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .resize({ width: MAIL_LOGO_PIXELS, height: MAIL_LOGO_PIXELS, fit: 'inside', withoutEnlargement: true })
      .extend({
        top: MAIL_LOGO_MARGIN,
        bottom: MAIL_LOGO_MARGIN,
        left: MAIL_LOGO_MARGIN,
        right: MAIL_LOGO_MARGIN,
        background: { r: 0, g: 0, b: 0, alpha: 0 },
      })
      .png({ compressionLevel: 9 })
      .timeout({ seconds: RENDER_TIMEOUT_SECONDS })
      .toBuffer(),
  )

async function formatOf(bytes: Uint8Array): Promise<'pixels' | 'svg' | null> {
  const mime = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
  if (mime !== undefined && mime !== 'application/xml') return FORMATS.has(mime) ? 'pixels' : null
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('utf8')
  return /^\uFEFF?\s*<(?:\?xml|!--|!DOCTYPE|svg)/i.test(head) && /<svg[\s>]/i.test(head) ? 'svg' : null
}

function detailOf(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(text)) return 'This image has more than 50 megapixels, all its frames counted.'
  if (/timeout/i.test(text)) return 'This image takes too long to draw.'
  return 'This is not an image that can be read.'
}

const imageInvalid = (detail: string, cause?: unknown) =>
  new AppError('image_invalid', detail, { cause, fields: [{ field: 'file', code: 'image_invalid', detail }] })

/** The bytes are no image that is accepted. */
export const isImageInvalid = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'image_invalid'
