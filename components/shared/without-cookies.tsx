'use client'

import type { ReactElement } from 'react'
import { useHydrated } from '@/components/ui/use-hydrated'

/** Shows its children where the browser keeps no cookies, and `otherwise` where it does. */
export function WithoutCookies({
  children,
  otherwise = null,
}: {
  children: ReactElement
  otherwise?: ReactElement | null
}) {
  const hydrated = useHydrated()
  return hydrated && !navigator.cookieEnabled ? children : otherwise
}
