'use client'

import type { ReactNode } from 'react'
import { useHydrated } from '@/components/ui/use-hydrated'

/** Shows its children where the browser keeps no cookies, and `otherwise` where it does. */
export function WithoutCookies({ children, otherwise = null }: { children: ReactNode; otherwise?: ReactNode }) {
  const hydrated = useHydrated()
  return hydrated && !navigator.cookieEnabled ? children : otherwise
}
