'use client'

import type { InputHTMLAttributes, Ref } from 'react'
import { classes } from './classes'
import { useField } from './field'

/** The classes that all text controls share. */
export const controlClasses = classes(
  'w-full rounded-md border border-edge bg-pane text-base text-ink transition-colors',
  'hover:border-ink focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-glass',
  'aria-invalid:border-bad disabled:cursor-not-allowed disabled:bg-well disabled:text-muted',
)

export type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

export function Input({ className, ...rest }: InputProps) {
  return (
    <input
      {...useField()}
      {...rest}
      className={classes(controlClasses, 'min-h-10 px-3 py-2 read-only:bg-well', className)}
    />
  )
}
