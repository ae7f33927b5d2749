import sharp, { type Sharp } from 'sharp'
import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { AppError } from '../../core/errors.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { isSmallPicture } from '../../core/small-picture.ts'
import { stripAvif } from './formats/avif.ts'
import { stripGif } from './formats/gif.ts'
import { stripJpeg } from './formats/jpeg.ts'
import { stripPng } from './formats/png.ts'
import { stripWebp } from './formats/webp.ts'
import type { Orientation } from './formats/exif.ts'
import { hasFewColours } from './has-few-colours.ts'
import { pictureKindOf } from './picture-kind.ts'
import { rasterizeSvg } from './rasterize-svg.ts'
import type { Kind, Size } from './media-urls.ts'

/** Longest side of each size that is encoded by us, in pixels. */
const MAX_SIDE_PIXELS = { full: 2048, thumb: 600, tiny: 64 } as const satisfies Record<
  Exclude<Size, 'original'>,
  number
>
/**
 * All frames counted; checked against the header, before anything is decoded. Drawing takes up to 13 bytes of memory a
 * pixel.
 */
export const MAX_PIXELS = 50_000_000
/** An SVG states its size freely: it may be larger, and is drawn at a size that keeps to MAX_PIXELS. */
const SVG_LIMITS = { longest: 7000, pixels: 100_000_000 }
export const RENDER_TIMEOUT_SECONDS = 60

/** Rendering fills the CPU: two at a time leave the rest of the process responsive. */
export const withRenderSlot = oncePerProcess('image rendering', () => limitConcurrency(2))

export type RenderedImage = { copies: Record<Size, Uint8Array>; kind: Kind; width: number; height: number }

const STRIP: Record<Kind, (bytes: Buffer, orientation: Orientation) => Buffer> = {
  avif: stripAvif,
  gif: stripGif,
  jpg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
}

/**
 * The image in four sizes. The original has the bytes of the given file without its metadata, of which colour profile
 * and orientation stay; the others are WebP, without loss where the picture is small or has few colours. Animations
 * stay animated in the two larger sizes. An SVG is rasterized; external references in it are not loaded. Throws
 * `image_invalid`, and `movement_lost` unless `still`.
 */
export const renderImage = (given: Uint8Array, { still }: { still: boolean }): Promise<RenderedImage> =>
  withRenderSlot(async () => {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
    const found = await pictureKindOf(bytes)
    if (found === null)
      throw imageInvalid('This is not an image of an accepted kind: JPEG, PNG, WebP, GIF, AVIF and SVG are accepted.')
    if (found.losesMovement && !still) throw movementLost()
    try {
      if (found.kind !== 'drawn') return await renderFile(bytes, found.kind)
      return await renderFile(await redrawn(found.isSvg ? await rasterizeSvg(bytes, SVG_LIMITS) : bytes), 'webp')
    } catch (error) {
      throw imageInvalid(detailOf(error), error)
    }
  })

const READING = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
const TIMEOUT = { seconds: RENDER_TIMEOUT_SECONDS }

async function renderFile(bytes: Buffer, kind: Kind): Promise<RenderedImage> {
  const { orientation = 1 } = await sharp(bytes, READING).metadata()
  const original = STRIP[kind](bytes, orientation)
  const { autoOrient, pageHeight, xmp, iptc } = await sharp(original, { ...READING, animated: true }).metadata()
  if (xmp ?? iptc) throw new Error('Metadata was left.')
  const size = { width: autoOrient.width, height: pageHeight ?? autoOrient.height }
  const lossless = (await hasFewColours(await pixelsOf(original))) || isSmallPicture(size)
  const [full, thumb, tiny] = [
    await renderSize(original, 'full', lossless),
    await renderSize(original, 'thumb', lossless),
    await renderSize(original, 'tiny', lossless),
  ]
  return { copies: { original, full, thumb, tiny }, kind, ...size }
}

/** Four bytes a pixel, of all frames. Throws unless all of the file can be decoded. */
const pixelsOf = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes, { ...READING, animated: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .timeout(TIMEOUT)
    .toBuffer()

/** A still WebP of what isn't kept as it was given. */
async function redrawn(bytes: Uint8Array): Promise<Buffer> {
  const size = await sharp(bytes, READING).metadata()
  const lossless = (await hasFewColours(await pixelsOf(bytes))) || isSmallPicture(size)
  return encoded(sharp(bytes, READING).rotate(), lossless)
}

/** Applies the EXIF orientation and converts to sRGB; sharp then drops all metadata. */
const renderSize = (bytes: Uint8Array, size: keyof typeof MAX_SIDE_PIXELS, lossless: boolean): Promise<Buffer> =>
  encoded(
    sharp(bytes, { ...READING, animated: size === 'full' })
      .rotate()
      .resize({ width: MAX_SIDE_PIXELS[size], height: MAX_SIDE_PIXELS[size], fit: 'inside', withoutEnlargement: true }),
    lossless,
  )

const encoded = (image: Sharp, lossless: boolean): Promise<Buffer> =>
  image
    .webp(lossless ? { lossless } : { quality: 88 })
    .timeout(TIMEOUT)
    .toBuffer()

const MAIL_PICTURE_PIXELS = 1200
/** Twice as large as mails show it. Its margin is for dark mails, which put it on white. */
const MAIL_LOGO_PIXELS = 256
const MAIL_LOGO_MARGIN = 12

/**
 * A JPEG of a stored file, or of a drawing of ours: the first frame, on white where it is transparent. A small picture
 * is enlarged with hard edges, since mail programs would blur it.
 */
export const renderForMail = (stored: Uint8Array): Promise<Uint8Array> =>
  withRenderSlot(async () => {
    const { width, height } = await sharp(stored, READING).metadata()
    const small = isSmallPicture({ width, height })
    const side = small
      ? Math.max(width, height) * Math.floor(MAIL_PICTURE_PIXELS / Math.max(width, height))
      : MAIL_PICTURE_PIXELS
    return sharp(stored, READING)
      .resize({
        width: side,
        height: side,
        fit: 'inside',
        withoutEnlargement: !small,
        kernel: small ? 'nearest' : 'lanczos3',
      })
      .flatten({ background: '#ffffff' })
      .jpeg(small ? { quality: 92, chromaSubsampling: '4:4:4' } : { quality: 84 })
      .timeout(TIMEOUT)
      .toBuffer()
  })

/** A small PNG of a stored file. */
export const renderLogoForMail = (stored: Uint8Array): Promise<Uint8Array> =>
  withRenderSlot(() =>
    sharp(stored, READING)
      .resize({ width: MAIL_LOGO_PIXELS, height: MAIL_LOGO_PIXELS, fit: 'inside', withoutEnlargement: true })
      .extend({
        top: MAIL_LOGO_MARGIN,
        bottom: MAIL_LOGO_MARGIN,
        left: MAIL_LOGO_MARGIN,
        right: MAIL_LOGO_MARGIN,
        background: { r: 0, g: 0, b: 0, alpha: 0 },
      })
      .png({ compressionLevel: 9 })
      .timeout(TIMEOUT)
      .toBuffer(),
  )

function detailOf(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(text)) return 'This image has more than 50 megapixels, all its frames counted.'
  if (/timeout/i.test(text)) return 'This image takes too long to draw.'
  return 'This is not an image that can be read.'
}

const imageInvalid = (detail: string, cause?: unknown) =>
  new AppError('image_invalid', detail, { cause, fields: [{ field: 'file', code: 'image_invalid', detail }] })

const movementLost = () => {
  const detail =
    'This picture moves, and would be stored as a still one. Send it as GIF or WebP, or with still set to true.'
  return new AppError('movement_lost', detail, { fields: [{ field: 'file', code: 'movement_lost', detail }] })
}

/** The bytes are no image that is accepted. */
export const isImageInvalid = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'image_invalid'
