'use client'

import { useEffect } from 'react'
import { usePathname } from 'next/navigation'
import { forgetShownElsewhere } from '../forms/shown-once'

/** Forgets what the page before showed once. */
export function ForgetShown() {
  const path = usePathname()
  useEffect(() => forgetShownElsewhere(path), [path])
  return null
}
