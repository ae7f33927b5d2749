'use client'

import { createContext, useContext, useId } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { classes } from './classes'

type FieldAttributes = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean }

const FieldContext = createContext<FieldAttributes | null>(null)

export type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  /** A sentence, or several, such as the `detail` of each entry of a problem's `errors`. */
  error?: string | string[] | null
  required?: boolean
  /** Says “(optional)” behind the label; for forms where most fields are required. */
  optional?: boolean
  /** Hides the label from the eye only. */
  hideLabel?: boolean
  /** Given where the id is needed elsewhere; generated otherwise. */
  id?: string
  className?: string
  children: ReactNode
}

/** Label, hint and error around one control. The controls of this folder get their id and aria attributes from it. */
export function Field(props: FieldProps) {
  const { label, hint, error, required = false, optional = false, hideLabel = false, id, className, children } = props
  const t = useTranslations('common')
  const made = useId()
  const fieldId = id ?? made
  const errors = (Array.isArray(error) ? error : [error]).filter((line): line is string => Boolean(line))
  const describedBy = [hint ? `${fieldId}-hint` : '', errors.length ? `${fieldId}-error` : ''].filter(Boolean).join(' ')
  return (
    <FieldContext value={{ id: fieldId, describedBy: describedBy || undefined, invalid: errors.length > 0, required }}>
      <div className={classes('grid gap-1.5', className)}>
        <label
          id={`${fieldId}-label`}
          htmlFor={fieldId}
          className={classes('text-sm font-medium wrap-anywhere', hideLabel && 'sr-only')}
        >
          <span>{label}</span>
          {optional && <span className="font-normal text-muted">{` ${t('optional')}`}</span>}
        </label>
        {hint && (
          <p id={`${fieldId}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
        <div className="contents">{children}</div>
        <div id={`${fieldId}-error`} aria-live="polite" className={classes(!errors.length && 'sr-only')}>
          {errors.map((line) => (
            <p key={line} className="text-sm text-bad">
              {line}
            </p>
          ))}
        </div>
      </div>
    </FieldContext>
  )
}

/** The attributes of a control inside a Field; none outside of one. */
export function useField() {
  const field = useContext(FieldContext)
  if (!field) return {}
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    required: field.required,
  }
}
