'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'

/** The cache of what the recipient's pages fetch. */
export function Queries({ children }: { children: ReactNode }) {
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }))
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}
