'use client'

import { useEffect } from 'react'
import { useRouter } from 'next/navigation'

/** Asks for the page anew while something on it is still moving, as long as somebody looks. */
export function Refresh({ everySeconds = 2 }: { everySeconds?: number }) {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh()
    }, everySeconds * 1000)
    return () => clearInterval(timer)
  }, [router, everySeconds])
  return null
}
