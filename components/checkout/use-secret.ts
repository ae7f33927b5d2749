'use client'

import { useSyncExternalStore } from 'react'
import { readSecret } from './secret'

/**
 * The secret of a purchase, which only the browser has; null on the server, while hydrating, and where there is none.
 */
export const useSecret = (id: string): string | null =>
  useSyncExternalStore(
    onHashChange,
    () => readSecret(id),
    () => null,
  )

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}
