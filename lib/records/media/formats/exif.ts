/** EXIF that says only how a picture is turned, 1 to 8: one entry (274, Orientation) of one SHORT. */
export function exifOf(orientation: number): Buffer {
  const tiff = Buffer.from('49492a0008000000010012010300010000000000000000000000', 'hex')
  tiff.writeUInt16LE(orientation, 18)
  return tiff
}

/** How a picture is turned; 1: as it is stored. */
export type Orientation = number

/** The file's structure is broken, or hides where its metadata is. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}
