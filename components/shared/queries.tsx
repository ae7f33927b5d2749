'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'

/** The query cache of the recipient's and buyer's pages. */
export function Queries({ children }: { children: ReactNode }) {
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }))
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}
