'use client'

import { useEffect } from 'react'

/**
 * What an embedding page is told. Nothing of it is secret, and only the seller's own origins may show us in a frame
 * (frame-ancestors), so that it is addressed to whoever that is.
 */
export type FrameMessage =
  { type: 'vitrine:height'; height: number } | { type: 'vitrine:completed'; listing_id: string }

export function tellParent(message: FrameMessage): void {
  if (window.parent !== window) window.parent.postMessage(message, '*')
}

/** Tells the embedding page how tall its frame should be. */
export function FrameHeight() {
  useEffect(() => {
    const tell = () => tellParent({ type: 'vitrine:height', height: Math.ceil(document.body.scrollHeight) })
    const observer = new ResizeObserver(tell)
    observer.observe(document.body)
    tell()
    return () => observer.disconnect()
  }, [])
  // The page is as tall as what is in it, not as the frame happens to be; else it could never shrink.
  return <style>{'body { min-height: 0 !important }'}</style>
}
