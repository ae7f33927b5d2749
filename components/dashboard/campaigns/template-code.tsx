'use client'

import type { Ref } from 'react'
import { useRef } from 'react'
import { classes } from '@/components/ui/classes'
import { useField } from '@/components/ui/field'

type Props = {
  name: string
  value: string
  onChange: (value: string) => void
  onFocus: () => void
  /** Numbers of lines with errors. */
  marked: readonly number[]
  rows: number
  maxLength: number
  ref: Ref<HTMLTextAreaElement>
}

/** A text area with line numbers. Tab moves the focus, as in other fields. */
export function CodeArea({ name, value, onChange, onFocus, marked, rows, maxLength, ref }: Props) {
  const gutter = useRef<HTMLDivElement>(null)
  const lines = value.split('\n').length
  return (
    <div
      className={
        'flex overflow-hidden rounded-md border border-edge bg-pane focus-within:outline-2 ' +
        'focus-within:outline-offset-1 focus-within:outline-glass hover:border-ink'
      }
    >
      <div
        aria-hidden="true"
        className={classes(
          'relative shrink-0 overflow-hidden border-r bg-well select-none',
          lines < 1000 ? 'w-11' : 'w-14',
        )}
      >
        <div ref={gutter} className="figures absolute inset-x-0 top-0 py-2 text-right text-sm leading-5 text-muted">
          {Array.from({ length: lines }, (_, at) => (
            <div key={at} className={classes('px-2', marked.includes(at + 1) && 'bg-bad-soft font-medium text-bad')}>
              {at + 1}
            </div>
          ))}
        </div>
      </div>
      <textarea
        {...useField()}
        ref={ref}
        name={name}
        value={value}
        rows={rows}
        maxLength={maxLength}
        wrap="off"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        onFocus={onFocus}
        onChange={(event) => onChange(event.target.value)}
        onScroll={(event) => {
          gutter.current?.style.setProperty('transform', `translateY(${-event.currentTarget.scrollTop}px)`)
        }}
        className={
          'figures min-w-0 grow resize-y overflow-auto bg-pane px-3 py-2 text-sm leading-5 ' +
          'whitespace-pre text-ink outline-none'
        }
      />
    </div>
  )
}
