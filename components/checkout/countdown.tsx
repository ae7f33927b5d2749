'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'next-intl'
import { serverNow } from '@/components/shared/server-clock'
import { useHydrated } from '@/components/ui/use-hydrated'

/** The server's time in milliseconds, updated every second; `first` on the server. */
export function useNow(first: number): number {
  const [now, setNow] = useState(first)
  useEffect(() => {
    const tick = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(tick)
  }, [])
  return now
}

/** The time left until a moment. Screen readers don't announce every second. */
export function Countdown({ to, now }: { to: string; now: number }) {
  const t = useTranslations('order.countdown')
  const hydrated = useHydrated()
  const left = Math.max(0, Math.ceil((Date.parse(to) - now) / 1000))
  return (
    <span role="timer" className="figures whitespace-nowrap">
      {hydrated ? lengthOf(left, t) : '…'}
    </span>
  )
}

/** `2 d 04 h`, `3 h 05 min`, `4:09`. */
export function lengthOf(seconds: number, t: ReturnType<typeof useTranslations<'order.countdown'>>): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const two = (value: number) => String(value).padStart(2, '0')
  if (days > 0) return t('days', { days: String(days), hours: two(hours) })
  if (hours > 0) return t('hours', { hours: String(hours), minutes: two(minutes) })
  return `${minutes}:${two(seconds % 60)}`
}
