'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
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
  system: { Icon: Monitor, changeTo: 'toSystem' },
  light: { Icon: Sun, changeTo: 'toLight' },
  dark: { Icon: Moon, changeTo: 'toDark' },
} as const

/** A button that names the theme, and cycles through system, light and dark. */
export function ThemeToggle() {
  const t = useTranslations('common.theme')
  const { theme, setTheme } = useTheme()
  const hydrated = useHydrated()
  const current = order.find((name) => hydrated && name === theme) ?? 'system'
  const next = order[(order.indexOf(current) + 1) % order.length] ?? 'system'
  const { Icon } = faces[current]
  const label = t(faces[next].changeTo, { now: t(current) })
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => setTheme(next)}
      className={
        'flex min-h-9 min-w-9 items-center justify-center gap-1.5 rounded-md px-2 text-xs text-muted ' +
        'transition-colors hover:bg-well hover:text-ink'
      }
    >
      <Icon aria-hidden="true" className="size-4.5 shrink-0" />
      <span className="text-start whitespace-nowrap max-[23rem]:sr-only min-[23rem]:min-w-11">{t(current)}</span>
    </button>
  )
}
