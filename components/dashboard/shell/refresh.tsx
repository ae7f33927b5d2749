'use client'

import { useEffect, useRef, useTransition } from 'react'
import { useRouter } from 'next/navigation'

/** Asks for the page anew while something on it is still moving, as long as somebody looks; never before the last answer is here. */
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
