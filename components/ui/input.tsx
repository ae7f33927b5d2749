'use client'

import type { InputHTMLAttributes, Ref } from 'react'
import { plainDigits } from '@/lib/core/digits'
import { classes } from './classes'
import { useField } from './field'

/** The classes that all text controls share. */
export const controlClasses = classes(
  'w-full rounded-md border border-edge bg-pane text-base text-ink transition-colors',
  'hover:border-ink focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-glass',
  'aria-invalid:border-bad disabled:cursor-not-allowed disabled:bg-well disabled:text-muted',
)

export type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

/** A text field. A field for numbers turns digits of every script into 0 to 9 while they are typed. */
export function Input({ className, onInput, ...rest }: InputProps) {
  const isNumber = rest.inputMode === 'numeric' || rest.inputMode === 'decimal'
  return (
    <input
      {...useField()}
      {...rest}
      onInput={
        isNumber
          ? (event) => {
              writeDigits(event.currentTarget)
              onInput?.(event)
            }
          : onInput
      }
      className={classes(controlClasses, 'min-h-10 px-3 py-2 read-only:bg-well', className)}
    />
  )
}

/** React calls `onInput` before `onChange`, which then reads what is written here. */
function writeDigits(input: HTMLInputElement): void {
  const plain = plainDigits(input.value)
  if (plain !== input.value) input.value = plain
}
