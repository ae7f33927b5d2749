'use client'

import { useEffect, useRef, useTransition } from 'react'
import { useRouter } from 'next/navigation'

/**
 * Reloads the page's data at an interval while the page is visible. A reload starts only after the previous one has
 * finished. Once `everySeconds` is false it reloads a last time: a page reads its records one after the other, and some
 * may have been read before the one by which it ends.
 */
export function Refresh({ everySeconds }: { everySeconds: number | false }) {
  const router = useRouter()
  const [pending, begin] = useTransition()
  const waiting = useRef(false)
  const reloads = useRef(false)
  useEffect(() => {
    waiting.current = pending
  }, [pending])
  useEffect(() => {
    const reload = () => begin(() => router.refresh())
    if (everySeconds === false) {
      if (reloads.current) reload()
      reloads.current = false
      return
    }
    reloads.current = true
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !waiting.current) reload()
    }, everySeconds * 1000)
    return () => clearInterval(timer)
  }, [router, everySeconds])
  return null
}
