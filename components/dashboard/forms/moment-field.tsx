'use client'

import { useState } from 'react'
import { Input } from '@/components/ui/input'
import { useHydrated } from '@/components/ui/use-hydrated'
import { FormField } from './action-form'

type Props = {
  name: string
  label: string
  hint?: string
  /** ISO 8601. */ at?: string | null
  onChange?: (iso: string) => void
}

/** A day and a time in the reader's own zone, sent as the moment it is. Before the page is alive it is UTC, and says so. */
export function MomentField({ name, label, hint, at = null, onChange }: Props) {
  const alive = useHydrated()
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (at ? (alive ? localOf(new Date(at)) : at.slice(0, 16)) : '')
  const moment = momentOf(shown, alive)
  return (
    <FormField
      name={name}
      label={label}
      hint={`${hint ? `${hint} ` : ''}${alive ? '' : 'In UTC.'}`.trim() || undefined}
      optional
    >
      <>
        <Input
          type="datetime-local"
          name={`typed.${name}`}
          value={shown}
          onChange={(event) => {
            setTyped(event.target.value)
            onChange?.(momentOf(event.target.value, alive))
          }}
        />
        <input type="hidden" name={`${name}:null`} value={moment} />
      </>
    </FormField>
  )
}

const momentOf = (text: string, alive: boolean): string => {
  const moment = new Date(alive ? text : `${text}Z`)
  return text === '' || Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}

/** A moment as an input of type datetime-local takes it, in this zone. */
function localOf(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}T${two(moment.getHours())}:${two(moment.getMinutes())}`
}
