'use client'

import type { Ref, SelectHTMLAttributes } from 'react'
import { ChevronDown } from 'lucide-react'
import { classes } from './classes'
import { useField } from './field'
import { controlClasses } from './input'

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }

/** The browser's own select: it works best on phones and with assistive technology. */
export function Select({ className, children, ...rest }: SelectProps) {
  return (
    <span className={classes('relative block', className)}>
      <select {...useField()} {...rest} className={classes(controlClasses, 'min-h-10 appearance-none py-2 ps-3 pe-9')}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
