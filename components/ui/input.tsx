'use client'

import type { InputHTMLAttributes, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { ChevronDown } from 'lucide-react'
import { classes } from './classes'
import { useField } from './field'

const control = classes(
  'w-full rounded-md border border-edge bg-pane text-base text-ink transition-colors',
  'hover:border-ink focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-glass',
  'aria-invalid:border-bad disabled:cursor-not-allowed disabled:bg-well disabled:text-muted',
)

export type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

export function Input({ className, ...rest }: InputProps) {
  return (
    <input {...useField()} {...rest} className={classes(control, 'min-h-10 px-3 py-2 read-only:bg-well', className)} />
  )
}

export type TextareaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }

export function Textarea({ className, rows = 4, ...rest }: TextareaProps) {
  return <textarea {...useField()} {...rest} rows={rows} className={classes(control, 'px-3 py-2', className)} />
}

export type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }

/** The browser's own select: it works best on phones and with assistive technology. */
export function Select({ className, children, ...rest }: SelectProps) {
  return (
    <span className={classes('relative block', className)}>
      <select {...useField()} {...rest} className={classes(control, 'min-h-10 appearance-none py-2 pr-9 pl-3')}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
