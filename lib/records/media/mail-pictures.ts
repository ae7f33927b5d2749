import { createHash } from 'node:crypto'
import { ports } from '../../ports/ports.ts'
import { keptCopy } from './kept-copies.ts'
import { renderForMail, renderLogoForMail } from './render-image.ts'
import { fileNameOf } from './media-urls.ts'

/** Copies for mail programs, some of which know no WebP. They are made when they are first asked for, and stored. */

const PICTURE = /^(baf[a-z2-7]{50,100})\.jpg$/
const LOGO = /^(baf[a-z2-7]{50,100})-logo\.png$/

/** The URL of a stored file's JPEG, 1200 pixels at its longest side. */
export const mailPictureUrlOf = (cid: string, origin: string): string => `${origin}/media/mail/${cid}.jpg`
/** The URL of a stored file's PNG, small and with its transparency. */
export const mailLogoUrlOf = (cid: string, origin: string): string => `${origin}/media/mail/${cid}-logo.png`

type MailPicture = { bytes: Uint8Array; contentType: 'image/jpeg' | 'image/png' }

/** The copy of a stored file by the name in its URL; null for any other name, and where there is no such file. */
export async function findMailPicture(name: string): Promise<MailPicture | null> {
  const picture = PICTURE.exec(name)?.[1]
  if (picture) return jpegOf(`${picture}-mail.jpg`, () => storedBytes(picture))
  const logo = LOGO.exec(name)?.[1]
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

const storedBytes = async (cid: string): Promise<Uint8Array | null> =>
  (await ports().storage.get(fileNameOf(cid, 'full')))?.bytes ?? null
