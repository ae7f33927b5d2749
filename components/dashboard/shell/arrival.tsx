'use client'

import { useEffect, useRef } from 'react'
import { usePathname } from 'next/navigation'
import { forgetShownElsewhere } from '../forms/shown-once'

/** Forgets what the page before showed once, and moves the focus to the new page's content when the followed link disappeared with its page. Otherwise it would start at the top of the document. */
export function Arrival() {
  const path = usePathname()
  const before = useRef(path)
  useEffect(() => {
    forgetShownElsewhere(path)
    if (before.current === path) return
    before.current = path
    if (document.activeElement === null || document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true })
  }, [path])
  return null
}
