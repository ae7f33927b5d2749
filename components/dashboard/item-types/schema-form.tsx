'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { FormField } from '../forms/action-form'
import { fitsControl, type SchemaField, writtenAs } from './schema'

/** One control for each attribute of an item type. */
export function SchemaFields({ fields, given }: { fields: SchemaField[]; given: Record<string, unknown> }) {
  const hintOf = useHints()
  const shown = fields.filter(({ name }) => fitsControl(name))
  return (
    <>
      <input
        type="hidden"
        name="kinds:json"
        value={JSON.stringify(Object.fromEntries(shown.map(({ name, kind }) => [name, kind])))}
      />
      {shown.map((field) => (
        <FormField
          key={field.name}
          name={`attributes.${field.name}`}
          label={field.label}
          hint={hintOf(field)}
          required={field.required}
          optional={!field.required}
        >
          <Control field={field} value={writtenAs(field.kind, given[field.name])} />
        </FormField>
      ))}
    </>
  )
}

function Control({
  field: { name: attribute, kind, choices, maxLength, min },
  value,
}: {
  field: SchemaField
  value: string
}) {
  const name = `attributes.${attribute}:long`
  // Text that a control of one line or the browser’s own for dates can’t show would be lost in it.
  const isOneLine = !/[\r\n]/.test(value)
  switch (kind) {
    case 'long':
      return <Textarea name={name} defaultValue={value} />
    case 'texts':
      return <Textarea name={name} defaultValue={value} rows={3} />
    case 'json':
      return (
        <Textarea
          name={name}
          defaultValue={value}
          rows={4}
          spellCheck={false}
          autoCapitalize="none"
          className="figures"
        />
      )
    case 'number':
    case 'integer':
      return (
        <Input
          name={name}
          defaultValue={value}
          inputMode={kind === 'integer' && (min ?? -1) >= 0 ? 'numeric' : 'decimal'}
          autoComplete="off"
          className="figures sm:max-w-48"
        />
      )
    case 'boolean':
      return <Choice name={name} value={value} choices={[true, false]} />
    case 'choice':
      return <Choice name={name} value={value} choices={choices} />
    case 'date':
      return (
        <Input
          name={name}
          type={value === '' || isDate(value) ? 'date' : 'text'}
          defaultValue={value}
          className="sm:max-w-48"
        />
      )
    case 'url':
      return <Input name={name} inputMode="url" defaultValue={value} autoComplete="off" placeholder="https://…" />
    case 'text':
      return isOneLine ? (
        <Input name={name} defaultValue={value} autoComplete="off" maxLength={maxLength ?? undefined} />
      ) : (
        <Textarea name={name} defaultValue={value} />
      )
  }
}

/** A day of the calendar, as a date input takes it. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${text}T`)
}

function Choice({ name, value, choices }: { name: string; value: string; choices: unknown[] }) {
  const t = useTranslations('dashboard.itemTypes.fields')
  const wordOf = (choice: unknown): string => {
    if (typeof choice === 'boolean') return choice ? t('yes') : t('no')
    return typeof choice === 'string' ? choice : JSON.stringify(choice)
  }
  const known = choices.map((choice) => JSON.stringify(choice))
  return (
    <Select name={name} defaultValue={value}>
      <option value="">{t('notSaid')}</option>
      {value !== '' && !known.includes(value) && <option value={value}>{wordOf(JSON.parse(value))}</option>}
      {choices.map((choice, at) => (
        <option key={known[at]} value={known[at]}>
          {wordOf(choice)}
        </option>
      ))}
    </Select>
  )
}

/** Says of an attribute the type's own description, then the format that is accepted. */
function useHints() {
  const t = useTranslations('dashboard.itemTypes.fields')
  const format = useFormatter()
  // A year is a number, too, so there are no thousands marked.
  const shown = (value: number) => format.number(value, { useGrouping: false, maximumFractionDigits: 20 })

  function boundsOf({ kind, min, max }: SchemaField): string | null {
    if (kind !== 'number' && kind !== 'integer') return null
    if (min !== null && max !== null) return t(`${kind}.between`, { min: shown(min), max: shown(max) })
    if (min !== null) return t(`${kind}.from`, { min: shown(min) })
    return max === null ? t(`${kind}.any`) : t(`${kind}.upTo`, { max: shown(max) })
  }
  return (field: SchemaField): string | undefined => {
    const { hint, kind, maxLength } = field
    const words = [
      hint,
      boundsOf(field),
      kind === 'texts' && t('oneALine'),
      kind === 'json' && t('asJson'),
      kind === 'text' && maxLength !== null && t('maxLength', { max: shown(maxLength) }),
    ]
    return words.filter(Boolean).join(' ') || undefined
  }
}
