'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Input } from '@/components/ui/input'
import { useHydrated } from '@/components/ui/use-hydrated'
import { FormField } from './action-form'

type Props = {
  name: string
  label: string
  hint?: string
  /** ISO 8601. */
  at?: string | null
  onChange?: (iso: string) => void
}

/** A date and time in the reader's own time zone, sent as UTC. Until scripts have loaded the field is in UTC, and says so. */
export function MomentField({ name, label, hint, at = null, onChange }: Props) {
  const t = useTranslations('dashboard.common')
  const hydrated = useHydrated()
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (at ? (hydrated ? localOf(new Date(at)) : at.slice(0, 16)) : '')
  const moment = momentOf(shown, hydrated)
  return (
    <FormField
      name={name}
      label={label}
      hint={[hint, !hydrated && t('inUtc')].filter(Boolean).join(' ') || undefined}
      optional
    >
      <>
        <Input
          type="datetime-local"
          name={`typed.${name}`}
          value={shown}
          onChange={(event) => {
            setTyped(event.target.value)
            onChange?.(momentOf(event.target.value, hydrated))
          }}
        />
        <input type="hidden" name={`${name}:null`} value={moment} />
      </>
    </FormField>
  )
}

const momentOf = (text: string, hydrated: boolean): string => {
  const moment = new Date(hydrated ? text : `${text}Z`)
  return text === '' || Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}

/** A moment in the local time zone, in the format of a datetime-local input. */
function localOf(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}T${two(moment.getHours())}:${two(moment.getMinutes())}`
}
