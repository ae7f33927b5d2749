'use client'

import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { classes } from '@/components/ui/classes'
import { hasActed } from './has-acted'

export type StepProps = {
  title: ReactNode
  lead?: ReactNode
  takeFocus?: boolean
  /** 1 where the page has no other heading. */
  level?: 1 | 2
  className?: string
  children?: ReactNode
}

/**
 * One step of a flow: a heading and what to do. When it takes the place of another one, its heading takes the focus, so
 * that keyboard and screen reader users arrive there. A page that has just been opened stays at its top.
 */
export function Step({ title, lead, takeFocus = true, level = 2, className, children }: StepProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  const heading = useRef<HTMLHeadingElement>(null)
  const takesFocus = useRef(takeFocus)
  useEffect(() => {
    if (takesFocus.current && hasActed()) heading.current?.focus()
  }, [])
  return (
    <div className={classes('grid animate-arrive gap-5', className)}>
      <div className="grid gap-2">
        <Heading ref={heading} tabIndex={-1} className="text-xl font-medium outline-none">
          {title}
        </Heading>
        {lead && <div className="wrap-anywhere text-muted">{lead}</div>}
      </div>
      <div className="contents">{children}</div>
    </div>
  )
}
