import { createHash } from 'node:crypto'
import path from 'node:path'
import sharp from 'sharp'
import { isSmallPicture } from '../../core/small-picture.ts'
import { ports } from '../../ports/ports.ts'
import { keptCopy } from './kept-copies.ts'
import { fileNameOf } from './media-urls.ts'
import { MAX_PIXELS, RENDER_TIMEOUT_SECONDS, withRenderSlot } from './render-image.ts'

/** The content of a link's preview: a picture, a title, and whose it is. */
export type LinkPreview = {
  /** A stored file, or a drawing of ours whose SVG names nothing outside of itself. */
  picture: { stem: string } | { svg: string }
  title: string
  /** The organization's name; null where there is none. */
  seller: string | null
  /** The organization's colour, #rrggbb. */
  colour: string | null
}

/** Changes when the same preview is drawn in another way. */
const DRAWING = 2
const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 48]
const PICTURE = HEIGHT - 2 * MARGIN
const TEXT_LEFT = MARGIN + PICTURE + MARGIN + 28
const TEXT_WIDTH = WIDTH - MARGIN - TEXT_LEFT
const FONT = path.join(/* turbopackIgnore: true */ process.cwd(), 'app/fonts/geist-sans.ttf')
const OWN_COLOUR = '#0f6b58'
const [WALL, INK, MUTED] = ['#f7f9f8', '#17201e', '#5b6664']

/**
 * The PNG of a link's preview, 1200 × 630 pixels, as other sites ask for it; made when it is first asked for, and
 * stored. null where the file is gone.
 */
export function previewPictureOf(preview: LinkPreview): Promise<Uint8Array | null> {
  const hash = createHash('sha256')
    .update(JSON.stringify([DRAWING, preview]))
    .digest('hex')
  return keptCopy(`preview-${hash}.png`, 'image/png', async () => {
    const source =
      'svg' in preview.picture
        ? Buffer.from(preview.picture.svg)
        : (await ports().storage.get(fileNameOf(preview.picture.stem, 'full')))?.bytes
    return source ? withRenderSlot(() => draw(source, preview)) : null
  })
}

async function draw(source: Uint8Array, { title, seller, colour }: LinkPreview): Promise<Uint8Array> {
  const given = sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
  const kernel = isSmallPicture(await given.metadata()) ? 'nearest' : 'lanczos3'
  const picture = await given
    .resize({ width: PICTURE, height: PICTURE, fit: 'contain', background: '#ffffff', kernel })

    .flatten({ background: '#ffffff' })
    .timeout({ seconds: RENDER_TIMEOUT_SECONDS })
    .toBuffer()
  const heading = await written(shortened(title, 120), { size: title.length > 48 ? 42 : 56, colour: INK, height: 330 })
  const name = seller === null ? null : await written(shortened(seller, 60), { size: 28, colour: MUTED, height: 80 })
  const gap = 22
  const height = heading.height + (name ? gap + name.height : 0)
  const top = Math.round((HEIGHT - height) / 2)
  const bar = { create: { width: 6, height, channels: 3 as const, background: colour ?? OWN_COLOUR } }
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: WALL } })
    .composite([
      { input: picture, left: MARGIN, top: MARGIN },
      { input: bar, left: TEXT_LEFT - 28, top },
      { input: heading.bytes, left: TEXT_LEFT, top },
      ...(name ? [{ input: name.bytes, left: TEXT_LEFT, top: top + heading.height + gap }] : []),
    ])
    .png({ compressionLevel: 9, palette: false })
    .timeout({ seconds: RENDER_TIMEOUT_SECONDS })
    .toBuffer()
}

/** Text as a picture. Letters that our font lacks are drawn with one of the machine's, where it has any. */
async function written(
  text: string,
  { size, colour, height }: { size: number; colour: string; height: number },
): Promise<{ bytes: Buffer; height: number }> {
  const markup = `<span foreground="${colour}">${escaped(text)}</span>`
  const options = { text: markup, fontfile: FONT, font: `Geist Medium ${size}`, width: TEXT_WIDTH, rgba: true }
  const drawn = await sharp({ text: { ...options, wrap: 'word-char', spacing: Math.round(size / 6) } })
    .png()
    .toBuffer({ resolveWithObject: true })
  const { width, height: whole } = drawn.info
  if (whole <= height && width <= TEXT_WIDTH) return { bytes: drawn.data, height: whole }
  const cut = { left: 0, top: 0, width: Math.min(width, TEXT_WIDTH), height: Math.min(whole, height) }
  return { bytes: await sharp(drawn.data).extract(cut).png().toBuffer(), height: cut.height }
}

/** Without a letter cut in two. */
const shortened = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : text
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => ENTITIES[character]!)
