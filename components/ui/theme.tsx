'use client'

import type { ReactNode } from 'react'
import { ThemeProvider, useTheme } from 'next-themes'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useHydrated } from './use-hydrated'

/** Provides the theme: light, dark or the system's. The nonce allows its small script under a strict script policy. */
export function Theme({ nonce, children }: { nonce?: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem enableColorScheme={false} nonce={nonce}>
      {children}
    </ThemeProvider>
  )
}

const order = ['system', 'light', 'dark'] as const
const faces = {
  system: { name: 'as the system', Icon: Monitor },
  light: { name: 'light', Icon: Sun },
  dark: { name: 'dark', Icon: Moon },
}

/** A button that cycles through system, light and dark. */
export function ThemeToggle() {
  const { theme, setTheme } = useTheme()
  const hydrated = useHydrated()
  const current = order.find((name) => hydrated && name === theme) ?? 'system'
  const next = order[(order.indexOf(current) + 1) % order.length] ?? 'system'
  const { Icon } = faces[current]
  const label = `Appearance: ${faces[current].name}. Change to ${faces[next].name}.`
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => setTheme(next)}
      className="grid size-9 place-items-center rounded-md text-muted transition-colors hover:bg-well hover:text-ink"
    >
      <Icon aria-hidden="true" className="size-4.5" />
    </button>
  )
}
