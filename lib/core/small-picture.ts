/** Up to this side a picture is small: stored without loss, and shown with hard edges. */
const SMALL_SIDE_PIXELS = 256

export const isSmallPicture = ({ width = 0, height = 0 }: { width?: number; height?: number }): boolean =>
  Math.max(width, height) <= SMALL_SIDE_PIXELS
