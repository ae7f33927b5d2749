import sharp from 'sharp'

/** A picture of one colour, as PNG. */
export const pngOf = (background: string, width = 900, height = 600): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
