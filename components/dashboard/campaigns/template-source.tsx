'use client'

import { useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { useTranslations } from 'next-intl'
import { TEMPLATE_FORMATS, type TemplateDraft } from '@/lib/platform/api/email-templates'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { FormField } from '../forms/action-form'
import { CodeArea } from './template-code'
import type { Preview } from './template-preview'
import type { Insert } from './template-text'

type Field = 'text' | 'body'
type Props = {
  draft: TemplateDraft
  put: (part: Partial<TemplateDraft>) => void
  errors: Preview['errors']
  onFocus: (insert: Insert) => void
}

/** A template as code: body, its format, and the plain text. */
export function TemplateSource({ draft, put, errors, onFocus }: Props) {
  const t = useTranslations('dashboard.campaigns.source')
  const text = useRef<HTMLTextAreaElement>(null)
  const body = useRef<HTMLTextAreaElement>(null)
  const errorsOf = (field: Field) => errors.filter((error) => error.field === field)
  const linesOf = (field: Field) => errorsOf(field).flatMap(({ line }) => line ?? [])
  const wrong = (field: Field) => (errorsOf(field).length > 0 ? errorsOf(field).map(({ detail }) => detail) : null)

  function goTo(field: Field, line: number) {
    const area = { text, body }[field].current
    const start =
      draft[field]
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0)
    const end = draft[field].indexOf('\n', start)
    area?.focus()
    area?.setSelectionRange(start, end === -1 ? draft[field].length : end)
  }

  return (
    <>
      <Part field="body" goTo={goTo} lines={linesOf('body')}>
        <FormField name="body" label={t('body')} hint={t(`formats.${draft.format}`)} error={wrong('body')} required>
          <CodeArea
            ref={body}
            name="body"
            value={draft.body}
            rows={24}
            maxLength={100_000}
            marked={linesOf('body')}
            onFocus={() => onFocus(insertInto(body, (next) => put({ body: next })))}
            onChange={(value) => put({ body: value })}
          />
        </FormField>
      </Part>
      <FormField name="format" label={t('format')} className="max-w-xs">
        <Select
          name="format"
          value={draft.format}
          onChange={(event) => put({ format: event.target.value as TemplateDraft['format'] })}
        >
          {TEMPLATE_FORMATS.map((format) => (
            <option key={format} value={format}>
              {format}
            </option>
          ))}
        </Select>
      </FormField>
      <Part field="text" goTo={goTo} lines={linesOf('text')}>
        <FormField name="text" label={t('text')} hint={t('textHint')} error={wrong('text')} required>
          <CodeArea
            ref={text}
            name="text"
            value={draft.text}
            rows={10}
            maxLength={20_000}
            marked={linesOf('text')}
            onFocus={() => onFocus(insertInto(text, (next) => put({ text: next })))}
            onChange={(value) => put({ text: value })}
          />
        </FormField>
      </Part>
    </>
  )
}

/** Puts words where the cursor is, around what is selected where there are two. */
const insertInto =
  (area: RefObject<HTMLTextAreaElement | null>, put: (text: string) => void): Insert =>
  (before, after = '') => {
    const { value, selectionStart: from, selectionEnd: to } = area.current!
    const inner = before + (after && value.slice(from, to))
    put(value.slice(0, from) + inner + after + value.slice(to))
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(from + inner.length, from + inner.length)
    })
  }

/** A field with links to the lines that have errors. */
function Part({
  field,
  lines,
  goTo,
  children,
}: {
  field: Field
  lines: number[]
  goTo: (field: Field, line: number) => void
  children: ReactNode
}) {
  const t = useTranslations('dashboard.campaigns.source')
  return (
    <div className="grid min-w-0 gap-2">
      <div className="contents">{children}</div>
      {lines.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {[...new Set(lines)].map((line) => (
            <Button key={line} size="sm" onClick={() => goTo(field, line)}>
              {t('goTo', { line })}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
