'use client'

import { useSyncExternalStore } from 'react'
import { serverNow } from '@/components/shared/server-clock'

/**
 * A secret that an action returned once, in the page's memory only. It can be shown again where rendering it failed.
 */
type ShownOnce = { path: string; secret: string; since: number }

const KEPT_MS = 24 * 3_600_000
let kept: ShownOnce | null = null
const listeners = new Set<() => void>()

function set(value: ShownOnce | null): void {
  kept = value
  for (const listener of listeners) listener()
}

export const keepShownOnce = (path: string, secret: string): void => set({ path, secret, since: serverNow() })

/** Another page was opened, so whoever saw the secret went on. */
export function forgetShownElsewhere(path: string): void {
  if (kept && kept.path !== path) set(null)
}

/** The secret that was shown on this page; null where none was, or it was a day ago. */
export const useShownOnce = (path: string): string | null =>
  useSyncExternalStore(
    subscribe,
    () => (kept?.path === path && serverNow() - kept.since < KEPT_MS ? kept.secret : null),
    () => null,
  )

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
