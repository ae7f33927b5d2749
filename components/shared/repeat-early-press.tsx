'use client'

import { useEffect } from 'react'
import './early-press'
import { noteAct } from './has-acted'

/** Repeats the press that came before the page was ready for it. */
export function RepeatEarlyPress() {
  useEffect(() => {
    const button = window.takeEarlyPress?.()
    delete window.takeEarlyPress
    if (!button?.isConnected) return
    noteAct()
    button.click()
  }, [])
  return null
}
