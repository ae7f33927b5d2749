'use client'

import { useSyncExternalStore } from 'react'
import { listen, read } from './remember'

/** What this browser keeps under a name, and every change of it. Null on the server. */
export function useStored(name: string): string | null {
  return useSyncExternalStore(
    listen,
    () => read(name),
    () => null,
  )
}
