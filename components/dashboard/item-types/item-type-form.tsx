'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'next-intl'
import { Plus, Trash2 } from 'lucide-react'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
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
import type { Row, RowPart, RowProblem } from './schema-builder'
import { emptyRow, KINDS, problemsOf, readSchema, rowsOf, withRows, writeSchema } from './schema-builder'

type Props = {
  action: FormAction
  name?: string
  schema: Schema
  opened?: Opened
  submit: string
  cancel: string
}

/** Edits an item type in rows of attributes or as JSON Schema. Parts that rows can't show are preserved. */
export function ItemTypeForm({ action, name, schema, opened, submit, cancel }: Props) {
  const t = useTranslations('dashboard.itemTypes')
  const [view, setView] = useState<'builder' | 'json'>('builder')
  const [text, setText] = useState(() => writeSchema(schema))
  const [rows, setRows] = useState<Row[]>(() => rowsOf(schema))
  const written = readSchema(text)
  const open = allowsOthers(written ?? {})
  const fields = useRef<HTMLDivElement>(null)
  const [tries, setTries] = useState(0)
  const problems = view === 'builder' && written ? problemsOf(rows) : new Map<string, RowProblem>()

  // Fields that the builder can't write aren't left out without a word.
  async function ask(): Promise<boolean> {
    if (problems.size > 0) setTries(tries + 1)
    return problems.size === 0
  }
  useEffect(() => {
    if (tries > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])

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
      opened={opened}
      ask={ask}
      draft="item-type"
      draftParts={{
        text: draftPart(text, setText),
        rows: draftPart(rows, setRows),
      }}
      className="max-w-3xl gap-6"
    >
      <FormField name="name" label={t('builder.name')} hint={t('nameHint')} required>
        <Input
          name="name"
          defaultValue={name}
          autoComplete="off"
          maxLength={255}
          placeholder={t('builder.nameExample')}
        />
      </FormField>
      <Section title={t('columns.attributes')} description={t('builder.lead')}>
        <div role="group" aria-label={t('builder.how')} className="flex w-fit gap-1 rounded-md border p-1">
          <ViewButton current={view === 'builder'} onClick={() => show('builder')}>
            {t('builder.oneByOne')}
          </ViewButton>
          <ViewButton current={view === 'json'} onClick={() => show('json')}>
            {t('builder.asSchema')}
          </ViewButton>
        </div>
        {view === 'json' ? (
          <FormField
            name="schema"
            label={t('builder.schema')}
            hint={t('builder.schemaHint')}
            error={written ? null : t('builder.notObject')}
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
              <Alert tone="warning" title={t('builder.broken')}>
                {t('builder.brokenText')}
              </Alert>
            )}
            {written && rows.length > 0 && (
              <div ref={fields} className="grid gap-4">
                {rows.map((row, at) => (
                  <RowFields
                    key={row.key}
                    row={row}
                    at={at}
                    problemOf={(part) => {
                      const problem = tries > 0 ? problems.get(`${row.key}.${part}`) : undefined
                      return problem && t(`builder.problems.${problem}`)
                    }}
                    change={(next) => build(next ? rows.with(at, next) : rows.toSpliced(at, 1))}
                  />
                ))}
              </div>
            )}
            {written && (
              <div>
                <Button
                  size="sm"
                  icon={<Plus aria-hidden="true" className="size-4" />}
                  onClick={() => setRows([...rows, emptyRow(Math.max(-1, ...rows.map(({ key }) => key)) + 1)])}
                >
                  {t('builder.add')}
                </Button>
              </div>
            )}
            {written && (
              <Checkbox
                checked={open}
                onChange={(event) => build(rows, event.target.checked)}
                label={t('builder.open')}
                hint={t('builder.openHint')}
              />
            )}
          </>
        )}
      </Section>
      <div className="flex flex-wrap gap-2">
        <Submit>{submit}</Submit>
        <LinkButton href={cancel} variant="quiet">
          {t('cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}

type ProblemOf = (part: RowPart) => string | undefined
/** `change` receives the new row, or null to remove it. */
type RowProps = { row: Row; at: number; problemOf: ProblemOf; change: (next: Row | null) => void }

function RowFields({ row, at, problemOf, change }: RowProps) {
  const t = useTranslations('dashboard.itemTypes')
  const set = (part: Partial<Row>) => change({ ...row, ...part })
  const number = at + 1
  const name = row.name || t('builder.unnamed', { number })
  return (
    <div
      role="group"
      aria-label={row.name || t('builder.group', { number })}
      className="grid gap-4 rounded-md border bg-pane p-4"
    >
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <Field label={t('builder.name')} error={problemOf('name') ?? null}>
          <Input
            value={row.name}
            onChange={(event) => set({ name: event.target.value })}
            autoComplete="off"
            maxLength={100}
            placeholder={t('builder.attributeExample')}
            aria-label={t('builder.nameOf', { number })}
          />
        </Field>
        {row.kind === 'json' ? (
          <p className="self-center text-sm text-muted">{t('builder.complex')}</p>
        ) : (
          <Field label={t('builder.kind')}>
            <Select
              value={row.kind}
              onChange={(event) => set({ kind: event.target.value as Row['kind'] })}
              aria-label={t('builder.kindOf', { number })}
            >
              {KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`kinds.${kind}`)}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      {row.kind !== 'json' && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label={t('builder.label')} optional>
            <Input
              value={row.label}
              onChange={(event) => set({ label: event.target.value })}
              autoComplete="off"
              maxLength={100}
              placeholder={row.name}
              aria-label={t('builder.labelOf', { number })}
            />
          </Field>
          <Field label={t('builder.hint')} optional>
            <Input
              value={row.hint}
              onChange={(event) => set({ hint: event.target.value })}
              autoComplete="off"
              maxLength={255}
              aria-label={t('builder.hintOf', { number })}
            />
          </Field>
          <Bounds row={row} number={number} problemOf={problemOf} set={set} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Checkbox
          checked={row.required}
          onChange={(event) => set({ required: event.target.checked })}
          label={t('builder.required')}
          aria-label={t('builder.isRequired', { name })}
        />
        <Button
          size="sm"
          variant="quiet"
          aria-label={t('builder.removeIt', { name })}
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          onClick={() => change(null)}
        >
          {t('builder.remove')}
        </Button>
      </div>
    </div>
  )
}

type BoundsProps = { row: Row; number: number; problemOf: ProblemOf; set: (part: Partial<Row>) => void }

function Bounds({ row, number, problemOf, set }: BoundsProps) {
  const t = useTranslations('dashboard.itemTypes')
  if (row.kind === 'number' || row.kind === 'integer')
    return (
      <div className="grid grid-cols-2 gap-4 sm:max-w-xs">
        <Field label={t('builder.atLeast')} error={problemOf('min') ?? null} optional>
          <Input
            value={row.min}
            onChange={(event) => set({ min: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
            className="figures"
            aria-label={t('builder.leastOf', { number })}
          />
        </Field>
        <Field label={t('builder.atMost')} error={problemOf('max') ?? null} optional>
          <Input
            value={row.max}
            onChange={(event) => set({ max: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
            className="figures"
            aria-label={t('builder.greatestOf', { number })}
          />
        </Field>
      </div>
    )
  if (row.kind === 'choice')
    return (
      <Field label={t('builder.choices')}>
        <Textarea
          value={row.choices}
          onChange={(event) => set({ choices: event.target.value })}
          rows={3}
          aria-label={t('builder.choicesOf', { number })}
        />
      </Field>
    )
  if (row.kind === 'text' || row.kind === 'long')
    return (
      <Field label={t('builder.characters')} error={problemOf('maxLength') ?? null} optional>
        <Input
          value={row.maxLength}
          onChange={(event) => set({ maxLength: event.target.value })}
          inputMode="numeric"
          autoComplete="off"
          className="figures"
          aria-label={t('builder.charactersOf', { number })}
        />
      </Field>
    )
  return null
}
