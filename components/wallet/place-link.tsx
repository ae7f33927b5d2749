'use client'

import type { MouseEvent, ReactNode } from 'react'
import { goTo, type Place, walletPath } from './place'

/** A link to a place in the wallet that keeps it open. In a new tab it opens as any other link. */
export function PlaceLink({ to, className, children }: { to: Place; className?: string; children: ReactNode }) {
  function follow(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    goTo(to)
    window.scrollTo(0, 0)
  }
  return (
    <a href={walletPath(to)} onClick={follow} className={className}>
      {children}
    </a>
  )
}
