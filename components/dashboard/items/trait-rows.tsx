'use client'

import { useTranslations } from 'next-intl'
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { FormError, FormField } from '../forms/action-form'
import { Section } from '../forms/section'
import { type Trait, TRAIT_KINDS, type TraitKind } from './traits'

/** `was`: the attribute that the row was opened with. */
export type Row = Trait & { key: number; was: string | null }

export const emptyRow = (key: number): Row => ({ key, was: null, name: '', kind: 'text', value: '' })

type Props = { title: string; rows: Row[]; change: (next: (before: Row[]) => Row[]) => void }

/** Attributes that the item type doesn't name: rows of name, kind and value. */
export function TraitRows({ title, rows, change }: Props) {
  const t = useTranslations('dashboard.items.form')
  const put = (row: Row, part: Partial<Row>) =>
    change((before) => before.map((each) => (each.key === row.key ? { ...each, ...part } : each)))
  return (
    <Section title={title} description={t('traitsLead')}>
      <div data-in-parts className="grid gap-4">
        {rows.map((row, index) => (
          <TraitFields
            key={row.key}
            row={row}
            number={index + 1}
            put={(part) => put(row, part)}
            remove={() => change((before) => before.filter(({ key }) => key !== row.key))}
          />
        ))}
      </div>
      <div>
        <Button
          size="sm"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => change((before) => [...before, emptyRow(nextKey(before))])}
        >
          {t('addTrait')}
        </Button>
      </div>
      <FormError name="attributes" />
    </Section>
  )
}

type RowProps = { row: Row; number: number; put: (part: Partial<Row>) => void; remove: () => void }

function TraitFields({ row, number, put, remove }: RowProps) {
  const t = useTranslations('dashboard.items.form')
  const at = `traits.${row.key}`
  return (
    <div
      className={
        'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 ' +
        'sm:grid-cols-[minmax(0,1fr)_8rem_minmax(0,1fr)_auto]'
      }
    >
      {row.was !== null && <input type="hidden" name={`${at}.was:long`} value={row.was} />}
      <FormField name={`${at}.name`} label={t('traitName', { number })} hideLabel>
        <Input
          name={`${at}.name`}
          value={row.name}
          onChange={(event) => put({ name: event.target.value })}
          placeholder={t('traitNameExample')}
          autoComplete="off"
          maxLength={100}
        />
      </FormField>
      <FormField name={`${at}.kind`} label={t('traitKind', { number })} hideLabel>
        <Select
          name={`${at}.kind`}
          value={row.kind}
          onChange={(event) => put({ kind: event.target.value as TraitKind })}
        >
          {TRAIT_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`traitKinds.${kind}`)}
            </option>
          ))}
        </Select>
      </FormField>
      <FormField name={`${at}.value`} label={t('traitValue', { number })} hideLabel>
        <TraitValue name={`${at}.value:long`} kind={row.kind} value={row.value} change={(value) => put({ value })} />
      </FormField>
      <Button
        variant="quiet"
        aria-label={t('removeTrait', { number })}
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={remove}
        className="!px-2.5"
      />
    </div>
  )
}

type ValueProps = { name: string; kind: TraitKind; value: string; change: (value: string) => void }

function TraitValue({ name, kind, value, change }: ValueProps) {
  const t = useTranslations('dashboard.items.form')
  const control = { name, value, autoComplete: 'off' }
  switch (kind) {
    case 'boolean':
      return (
        <Select name={name} value={value} onChange={(event) => change(event.target.value)}>
          {!['true', 'false'].includes(value) && <option value={value}>{t('traitUnsaid')}</option>}
          <option value="true">{t('traitYes')}</option>
          <option value="false">{t('traitNo')}</option>
        </Select>
      )
    case 'number':
      return (
        <Input {...control} onChange={(event) => change(event.target.value)} inputMode="decimal" className="figures" />
      )
    case 'text':
    case 'json':
      return (
        <Textarea
          {...control}
          onChange={(event) => change(event.target.value)}
          rows={Math.min(value.split('\n').length, 8)}
          placeholder={kind === 'text' ? t('traitValueExample') : '["…"]'}
          spellCheck={kind === 'text'}
          className={kind === 'json' ? 'figures' : undefined}
        />
      )
  }
}

const nextKey = (rows: Row[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1
