// npm run icons: draws the icons of phones out of app/icon.svg. What they are made of changes seldom, so they are kept.
import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'

const root = path.resolve(import.meta.dirname, '..')
const drawing = fs.readFileSync(path.join(root, 'app/icon.svg'))
const BACKGROUND = '#f7f9f8'
/** Phones cut icons to a shape of theirs: the middle is always seen. */
const SHARE = 0.6

async function draw(file: string, pixels: number): Promise<void> {
  const inside = Math.round(pixels * SHARE)
  const icon = await sharp(drawing, { density: (72 * inside) / 20 })
    .resize(inside, inside)
    .png()
    .toBuffer()
  const target = path.join(root, file)
  fs.mkdirSync(path.dirname(target), { recursive: true })
  await sharp({ create: { width: pixels, height: pixels, channels: 3, background: BACKGROUND } })
    .composite([{ input: icon }])
    .png({ compressionLevel: 9, palette: true })
    .toFile(target)
}

await draw('app/apple-icon.png', 180)
for (const pixels of [192, 512]) await draw(`public/icons/${pixels}.png`, pixels)
