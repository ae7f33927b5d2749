'use client'

import type { ComponentProps } from 'react'
import { isSmallPicture } from '@/lib/core/small-picture'

/** Files of the size `tiny` have at most this side: one that is shorter was not reduced. */
const TINY_SIDE_PIXELS = 64

/** One of our copies of a picture. A small one, such as pixel art, is enlarged with hard edges. */
export function StoredImage({ alt, ...props }: ComponentProps<'img'> & { src: string; alt: string }) {
  return (
    // eslint-disable-next-line @next/next/no-img-element -- sized and encoded by us already
    <img {...props} alt={alt} ref={showEdges} onLoad={({ currentTarget }) => showEdges(currentTarget)} />
  )
}

/** Also for a picture that was loaded before the page's script. */
function showEdges(image: HTMLImageElement | null): void {
  if (!image?.complete || image.naturalWidth === 0) return
  const { naturalWidth: width, naturalHeight: height } = image
  const isReduced = image.src.includes('-tiny.') && Math.max(width, height) >= TINY_SIDE_PIXELS
  image.style.imageRendering = isSmallPicture({ width, height }) && !isReduced ? 'pixelated' : ''
}
