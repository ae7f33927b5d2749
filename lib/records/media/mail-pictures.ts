import { createHash } from 'node:crypto'
import { ports } from '../../ports/ports.ts'
import { keptCopy } from './kept-copies.ts'
import { renderForMail, renderLogoForMail } from './render-image.ts'
import { fileNameOf, STEM_PATTERN } from './media-urls.ts'

/** Copies for mail programs, some of which know no WebP. They are made when they are first asked for, and stored. */

/** The URL of a stored file's JPEG, 1200 pixels at its longest side. */
export const mailPictureUrlOf = (stem: string, origin: string): string => `${origin}/media/mail/${stem}.jpg`
/** The URL of a stored file's PNG, small and with its transparency. */
export const mailLogoUrlOf = (stem: string, origin: string): string => `${origin}/media/mail/${stem}-logo.png`

type MailPicture = { bytes: Uint8Array; contentType: 'image/jpeg' | 'image/png' }

/** The copy of a stored file by the name in its URL; null for any other name, and where there is no such file. */
export async function findMailPicture(name: string): Promise<MailPicture | null> {
  const picture = stemBefore('.jpg', name)
  if (picture) return jpegOf(`${picture}-mail.jpg`, () => storedBytes(picture))
  const logo = stemBefore('-logo.png', name)
  if (!logo) return null
  const bytes = await keptCopy(`${logo}-logo.png`, 'image/png', async () => {
    const source = await storedBytes(logo)
    return source && renderLogoForMail(source)
  })
  return bytes && { bytes, contentType: 'image/png' }
}

/** The JPEG of a drawing of ours, whose SVG names nothing outside of itself. */
export const mailPictureOfDrawing = (svg: string): Promise<MailPicture | null> =>
  jpegOf(`art-${createHash('sha256').update(svg).digest('hex')}-mail.jpg`, () => Promise.resolve(Buffer.from(svg)))

async function jpegOf(name: string, source: () => Promise<Uint8Array | null>): Promise<MailPicture | null> {
  const bytes = await keptCopy(name, 'image/jpeg', async () => {
    const given = await source()
    return given && renderForMail(given)
  })
  return bytes && { bytes, contentType: 'image/jpeg' }
}

function stemBefore(ending: string, name: string): string | null {
  const stem = name.endsWith(ending) ? name.slice(0, -ending.length) : ''
  return STEM_PATTERN.test(stem) ? stem : null
}

const storedBytes = async (stem: string): Promise<Uint8Array | null> =>
  (await ports().storage.get(fileNameOf(stem, 'full')))?.bytes ?? null
