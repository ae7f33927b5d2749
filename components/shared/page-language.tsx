'use client'

import { useEffect } from 'react'

type Props = { locale: string; dir: 'ltr' | 'rtl' }

/**
 * Says on the document which language the page is in: a navigation within the browser keeps the layout of the page
 * before.
 */
export function PageLanguage({ locale, dir }: Props) {
  useEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = dir
  }, [locale, dir])
  return null
}
