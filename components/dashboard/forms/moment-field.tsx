'use client'

import type { SyntheticEvent } from 'react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'next-intl'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { useHydrated } from '@/components/ui/use-hydrated'
import { FormField } from './action-form'
import { localOf, momentsOf, utcOf } from './local-moments'

/** Sent for a date without a time, or the other way around: no moment, so it is refused. */
const PARTIAL = 'partial'

type Props = {
  name: string
  label: string
  hint?: string
  /** ISO 8601. */
  at?: string | null
  onChange?: (iso: string) => void
}

/**
 * A date and time in the reader's own time zone, sent as UTC. Until scripts have loaded the field is in UTC, and says
 * so. A time that the clocks skip is refused, and of one that they show twice a person says which.
 */
export function MomentField({ name, label, hint, at = null, onChange }: Props) {
  const t = useTranslations('dashboard.common')
  const format = useFormatter()
  const hydrated = useHydrated()
  const [typed, setTyped] = useState<string | null>(null)
  const [chosen, setChosen] = useState(0)
  const [isPartial, setPartial] = useState(false)
  const given = at === null ? '' : hydrated ? localOf(new Date(at)) : utcOf(new Date(at))
  const shown = typed ?? given
  const moments = typed === null || typed === given ? [] : momentsOf(typed)
  const isGiven = shown === given
  const isSkipped = hydrated && !isGiven && shown !== '' && moments.length === 0
  const timeZone = hydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC'
  const zoneOf = (moment: Date) =>
    format.dateTime(moment, { hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone })

  /** The value to send. A time that doesn't exist is sent as it was typed, which is refused. */
  function sentOf(local: string, which: number): string {
    if (local === given) return at ?? ''
    const found = momentsOf(local)
    return (found[which] ?? found[0])?.toISOString() ?? local
  }
  function change(local: string) {
    setTyped(local)
    setChosen(0)
    onChange?.(sentOf(local, 0))
  }
  const look = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => setPartial(currentTarget.validity.badInput)

  return (
    <div className="grid gap-2">
      <FormField
        name={name}
        label={label}
        hint={[hint, !hydrated && t('inUtc')].filter(Boolean).join(' ') || undefined}
        error={isPartial ? t('moment.partial') : isSkipped ? t('moment.skipped') : undefined}
        optional
      >
        <Input
          type="datetime-local"
          name={`${name}:utc`}
          value={shown}
          step={stepOf(given)}
          onChange={(event) => change(event.target.value)}
          onKeyUp={look}
          onBlur={look}
        />
      </FormField>
      {hydrated && <input type="hidden" name={`${name}:moment`} value={isPartial ? PARTIAL : sentOf(shown, chosen)} />}
      {moments.length > 1 && (
        <Select
          aria-label={t('moment.which')}
          value={chosen}
          onChange={(event) => {
            setChosen(Number(event.target.value))
            onChange?.(sentOf(shown, Number(event.target.value)))
          }}
        >
          {moments.map((moment, index) => (
            <option key={moment.toISOString()} value={index}>
              {t(index === 0 ? 'moment.first' : 'moment.second', { time: zoneOf(moment) })}
            </option>
          ))}
        </Select>
      )}
    </div>
  )
}

/** Seconds can be typed where there are some. */
const stepOf = (given: string): number | undefined =>
  given.includes('.') ? 0.001 : given.split(':').length > 2 ? 1 : undefined
