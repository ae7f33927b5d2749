'use client'

import { useEffect, useRef } from 'react'
import { usePathname } from 'next/navigation'

/** When the link that was followed is gone with its page, the keyboard goes on at the new page's content and not at the top of everything. */
export function Arrival() {
  const path = usePathname()
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    if (document.activeElement === null || document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true })
  }, [path])
  return null
}
