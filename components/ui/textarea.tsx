'use client'

import type { Ref, TextareaHTMLAttributes } from 'react'
import { classes } from './classes'
import { useField } from './field'
import { controlClasses } from './input'

type TextareaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }

export function Textarea({ className, rows = 4, ...rest }: TextareaProps) {
  return <textarea {...useField()} {...rest} rows={rows} className={classes(controlClasses, 'px-3 py-2', className)} />
}
