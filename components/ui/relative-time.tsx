'use client'

import { useLocale, useTranslations } from 'next-intl'
import { serverNow } from '../shared/server-clock'
import { Time } from './time'

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** A moment as “3 hours ago”, once the page is hydrated. */
export function RelativeTime({ at }: { at: string | Date }) {
  const t = useTranslations('common')
  const locale = useLocale()
  const fromNow = (moment: Date): string => {
    const seconds = Math.round((moment.getTime() - serverNow()) / 1000)
    const step = steps.find(([, length]) => Math.abs(seconds) >= length)
    const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    return step ? format.format(Math.trunc(seconds / step[1]), step[0]) : t('justNow')
  }
  return <Time at={at} format={fromNow} />
}
