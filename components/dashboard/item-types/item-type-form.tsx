'use client'

import { useState } from 'react'
import { Plus, Trash2 } from 'lucide-react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { ViewButton } from '../forms/view-button'
import { Section } from '../forms/section'
import { draftPart } from '../forms/use-unsaved'
import { allowsOthers, type Schema } from './schema'
import { emptyRow, KINDS, readSchema, type Row, rowsOf, withRows, writeSchema } from './schema-builder'

type Props = { action: FormAction; name?: string; schema: Schema; submit: string; cancel: string }

/** Edits an item type attribute by attribute, or as JSON Schema text. Both edit the same schema; parts that the rows can't show are preserved. */
export function ItemTypeForm({ action, name, schema, submit, cancel }: Props) {
  const [view, setView] = useState<'builder' | 'json'>('builder')
  const [text, setText] = useState(() => writeSchema(schema))
  const [rows, setRows] = useState<Row[]>(() => rowsOf(schema))
  const written = readSchema(text)
  const open = allowsOthers(written ?? {})

  function build(next: Row[], others = open) {
    setRows(next)
    if (written) setText(writeSchema(withRows(written, next, others)))
  }

  function show(next: 'builder' | 'json') {
    if (next === 'builder' && written) setRows(rowsOf(written))
    setView(next)
  }

  return (
    <ActionForm
      action={action}
      draft="item-type"
      draftParts={{
        text: draftPart(text, setText),
        rows: draftPart(rows, setRows),
      }}
      className="max-w-3xl gap-6"
    >
      <FormField name="name" label="Name" hint="Unique among your item types." required>
        <Input name="name" defaultValue={name} autoComplete="off" maxLength={255} placeholder="Flower" />
      </FormField>
      <Section
        title="Attributes"
        description="Every item has a title, and can have a description and a picture. Add the other attributes that items need."
      >
        <div role="group" aria-label="How to write it" className="flex w-fit gap-1 rounded-md border p-1">
          <ViewButton current={view === 'builder'} onClick={() => show('builder')}>
            One by one
          </ViewButton>
          <ViewButton current={view === 'json'} onClick={() => show('json')}>
            As JSON Schema
          </ViewButton>
        </div>
        {view === 'json' ? (
          <FormField
            name="schema"
            label="JSON Schema"
            hint="JSON Schema 2020-12. References must start with # and stay within the schema."
            error={written ? null : 'This isn’t a JSON object yet.'}
          >
            <Textarea
              data-in-parts
              name="schema"
              value={text}
              onChange={(event) => setText(event.target.value)}
              rows={22}
              spellCheck={false}
              autoCapitalize="none"
              className="figures"
            />
          </FormField>
        ) : (
          <>
            <input type="hidden" name="schema" value={text} />
            <FormError name="schema" />
            {!written && (
              <Alert tone="warning" title="The text under “As JSON Schema” isn’t a JSON object.">
                Correct it there first, then you can edit the attributes one by one.
              </Alert>
            )}
            {written &&
              rows.map((row, at) => (
                <RowFields
                  key={row.key}
                  row={row}
                  at={at}
                  change={(next) => build(next ? rows.with(at, next) : rows.toSpliced(at, 1))}
                />
              ))}
            {written && (
              <div>
                <Button
                  size="sm"
                  icon={<Plus aria-hidden="true" className="size-4" />}
                  onClick={() => setRows([...rows, emptyRow(Math.max(-1, ...rows.map(({ key }) => key)) + 1)])}
                >
                  Add an attribute
                </Button>
              </div>
            )}
            {written && (
              <Checkbox
                checked={open}
                onChange={(event) => build(rows, event.target.checked)}
                label="Items may have other attributes, too"
                hint="Without this, an attribute that isn’t named here is refused."
              />
            )}
          </>
        )}
      </Section>
      <div className="flex flex-wrap gap-2">
        <Submit>{submit}</Submit>
        <LinkButton href={cancel} variant="quiet">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}

/** `change` receives the new row, or null to remove it. */
function RowFields({ row, at, change }: { row: Row; at: number; change: (next: Row | null) => void }) {
  const set = (part: Partial<Row>) => change({ ...row, ...part })
  const of = `attribute ${at + 1}`
  return (
    <div
      role="group"
      aria-label={row.name || `Attribute ${at + 1}`}
      className="grid gap-4 rounded-md border bg-pane p-4"
    >
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <Field label="Name">
          <Input
            value={row.name}
            onChange={(event) => set({ name: event.target.value })}
            autoComplete="off"
            maxLength={100}
            placeholder="petals"
            aria-label={`Name of ${of}`}
          />
        </Field>
        {row.kind === 'json' ? (
          <p className="self-center text-sm text-muted">
            Written as JSON: it is too complex for this form, and stays as it is.
          </p>
        ) : (
          <Field label="Kind">
            <Select
              value={row.kind}
              onChange={(event) => set({ kind: event.target.value as Row['kind'] })}
              aria-label={`Kind of ${of}`}
            >
              {Object.entries(KINDS).map(([kind, word]) => (
                <option key={kind} value={kind}>
                  {word}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      {row.kind !== 'json' && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label="Label" optional>
            <Input
              value={row.label}
              onChange={(event) => set({ label: event.target.value })}
              autoComplete="off"
              maxLength={100}
              placeholder={row.name}
              aria-label={`Label of ${of}`}
            />
          </Field>
          <Field label="Hint" optional>
            <Input
              value={row.hint}
              onChange={(event) => set({ hint: event.target.value })}
              autoComplete="off"
              maxLength={255}
              aria-label={`Hint of ${of}`}
            />
          </Field>
          <Bounds row={row} of={of} set={set} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Checkbox
          checked={row.required}
          onChange={(event) => set({ required: event.target.checked })}
          label="Required"
          aria-label={`${row.name || of} is required`}
        />
        <Button
          size="sm"
          variant="quiet"
          aria-label={`Remove ${row.name || of}`}
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          onClick={() => change(null)}
        >
          Remove
        </Button>
      </div>
    </div>
  )
}

function Bounds({ row, of, set }: { row: Row; of: string; set: (part: Partial<Row>) => void }) {
  if (row.kind === 'number' || row.kind === 'integer')
    return (
      <div className="grid grid-cols-2 gap-4 sm:max-w-xs">
        <Field label="At least" optional>
          <Input
            value={row.min}
            onChange={(event) => set({ min: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
            className="figures"
            aria-label={`Least value of ${of}`}
          />
        </Field>
        <Field label="At most" optional>
          <Input
            value={row.max}
            onChange={(event) => set({ max: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
            className="figures"
            aria-label={`Greatest value of ${of}`}
          />
        </Field>
      </div>
    )
  if (row.kind === 'choice')
    return (
      <Field label="Choices, one a line">
        <Textarea
          value={row.choices}
          onChange={(event) => set({ choices: event.target.value })}
          rows={3}
          aria-label={`Choices of ${of}`}
        />
      </Field>
    )
  if (row.kind === 'text' || row.kind === 'long')
    return (
      <Field label="Characters at most" optional>
        <Input
          value={row.maxLength}
          onChange={(event) => set({ maxLength: event.target.value })}
          inputMode="numeric"
          autoComplete="off"
          className="figures"
          aria-label={`Most characters of ${of}`}
        />
      </Field>
    )
  return null
}
