'use client'

import { useEffect, useRef, useTransition } from 'react'
import { useRouter } from 'next/navigation'

/**
 * Reloads the page's data at an interval while the page is visible. A reload starts only after the previous one has
 * finished.
 */
export function Refresh({ everySeconds = 2 }: { everySeconds?: number }) {
  const router = useRouter()
  const [pending, begin] = useTransition()
  const waiting = useRef(false)
  useEffect(() => {
    waiting.current = pending
  }, [pending])
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !waiting.current) begin(() => router.refresh())
    }, everySeconds * 1000)
    return () => clearInterval(timer)
  }, [router, everySeconds])
  return null
}
