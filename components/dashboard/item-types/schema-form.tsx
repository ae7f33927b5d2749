'use client'

import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { FormField } from '../forms/action-form'
import { fitsControl, type SchemaField, writtenAs } from './schema'

/** One control for each attribute of an item type. */
export function SchemaFields({ fields, given }: { fields: SchemaField[]; given: Record<string, unknown> }) {
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
  const name = `attributes.${attribute}`
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
      return <Input name={name} type="date" defaultValue={value} className="sm:max-w-48" />
    case 'url':
      return <Input name={name} inputMode="url" defaultValue={value} autoComplete="off" placeholder="https://…" />
    case 'text':
      return <Input name={name} defaultValue={value} autoComplete="off" maxLength={maxLength ?? undefined} />
  }
}

function Choice({ name, value, choices }: { name: string; value: string; choices: unknown[] }) {
  const known = choices.map((choice) => JSON.stringify(choice))
  return (
    <Select name={name} defaultValue={value}>
      <option value="">Not said</option>
      {value !== '' && !known.includes(value) && <option value={value}>{wordOf(JSON.parse(value))}</option>}
      {choices.map((choice, at) => (
        <option key={known[at]} value={known[at]}>
          {wordOf(choice)}
        </option>
      ))}
    </Select>
  )
}

const wordOf = (choice: unknown): string =>
  choice === true ? 'Yes' : choice === false ? 'No' : typeof choice === 'string' ? choice : JSON.stringify(choice)

/** The type's own description, then the format that is accepted. */
function hintOf({ hint, kind, min, max, maxLength }: SchemaField): string | undefined {
  const words = [
    hint,
    boundsOf(kind, min, max),
    kind === 'texts' && 'One entry a line.',
    kind === 'json' && 'As JSON.',
    kind === 'text' && maxLength !== null && `At most ${maxLength} characters.`,
  ]
  return words.filter(Boolean).join(' ') || undefined
}

function boundsOf(kind: SchemaField['kind'], min: number | null, max: number | null): string | null {
  if (kind !== 'number' && kind !== 'integer') return null
  const what = kind === 'integer' ? 'A whole number' : 'A number'
  if (min !== null && max !== null) return `${what} from ${min} to ${max}.`
  if (min !== null) return `${what} from ${min}.`
  if (max !== null) return `${what} up to ${max}.`
  return `${what}.`
}
