'use client'

import { useSyncExternalStore } from 'react'

/**
 * The values that this page has written. They count where storage is forbidden, full, or wiped meanwhile, and last as
 * long as the page.
 */
const inMemory = new Map<string, string>()
const listeners = new Set<() => void>()

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name) ?? inMemory.get(name) ?? null
  } catch {
    return inMemory.get(name) ?? null
  }
}

/** Stores a value in this browser; null removes it. */
export function writeStored(name: string, value: string | null): void {
  if (value === null) inMemory.delete(name)
  else inMemory.set(name, value)
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    removeOutdated(name)
  }
  for (const listener of listeners) listener()
}

/** There is no room for the new value, which is in memory: the old one must not be read after a reload. */
function removeOutdated(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // Storage is forbidden, so it has none.
  }
}

/** The browser's storage as a library takes it. */
export const browserStorage = {
  getItem: readStored,
  setItem: writeStored,
  removeItem: (name: string) => writeStored(name, null),
}

// Another tab's value counts instead of this page's; where all is wiped, this page goes on with its own.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key !== null) inMemory.delete(key)
  })

/** Removes all values whose names begin so. */
export function forgetStored(prefix: string): void {
  for (const name of namesUnder(prefix)) writeStored(name, null)
}

function namesUnder(prefix: string): string[] {
  const names = new Set(inMemory.keys())
  try {
    for (let at = 0; at < localStorage.length; at++) names.add(localStorage.key(at)!)
  } catch {
    // Without storage, only the memory has values.
  }
  return [...names].filter((name) => name.startsWith(prefix)).sort()
}

/** A stored value that follows every change, from other tabs too. Null on the server. */
export function useStored(name: string): string | null {
  return useSyncExternalStore(
    subscribe,
    () => readStored(name),
    () => null,
  )
}

/** All values whose names begin so, by the rest of their names. They follow every change as well. */
export function useStoredUnder(prefix: string): [rest: string, value: string][] {
  const found = useSyncExternalStore(
    subscribe,
    () => JSON.stringify(namesUnder(prefix).map((name) => [name.slice(prefix.length), readStored(name)])),
    () => '[]',
  )
  return JSON.parse(found) as [string, string][]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
