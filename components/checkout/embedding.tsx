'use client'

import { useEffect } from 'react'

/**
 * The messages to an embedding page. They contain no secret, and only the seller's own origins may embed us
 * (frame-ancestors), so they are posted to any origin.
 */
export type FrameMessage =
  { type: 'vitrine:height'; height: number } | { type: 'vitrine:completed'; listing_id: string }

export function tellParent(message: FrameMessage): void {
  if (window.parent !== window) window.parent.postMessage(message, '*')
}

/** Posts the content's height to the embedding page. */
export function FrameHeight() {
  useEffect(() => {
    const post = () => tellParent({ type: 'vitrine:height', height: Math.ceil(document.body.scrollHeight) })
    const observer = new ResizeObserver(post)
    observer.observe(document.body)
    post()
    return () => observer.disconnect()
  }, [])
  // Without a minimum height the body can shrink below the frame's height.
  return <style>{'body { min-height: 0 !important }'}</style>
}
