'use client'

import { useEffect, useRef, useState, useTransition } from 'react'
import type { ReactNode } from 'react'
import { Send } from 'lucide-react'
import type { TemplateDraft } from '@/lib/platform/api/email-templates'
import type { ActionState, FormAction } from '@/lib/platform/api/form-action'
import { Badge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { toast } from '@/components/ui/toaster'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { draftPart } from '../forms/use-unsaved'
import { CodeArea } from './template-code'
import { type Preview, TemplatePreview } from './template-preview'

export type EditorVariable = {
  name: string
  meaning: string
  sample: string
  required: boolean
  optional: boolean
  url: boolean
}
type Field = 'subject' | 'text' | 'body'

type Props = {
  initial: TemplateDraft
  /** The editor shows an earlier version than the one in use. */
  earlier: boolean
  variables: EditorVariable[]
  preview: Preview
  sender: string
  origin: string
  saveAction: FormAction
  /** Claims as whose recipients the mail can be previewed. */
  recipients: { id: string; email: string }[]
  previewAction: (draft: TemplateDraft, dark: boolean, claimId: string | null) => Promise<Preview | null>
  testAction: (draft: TemplateDraft) => Promise<ActionState>
  cancel: string
  /** The version list and the button that restores the default. */
  children: ReactNode
}

const PAUSE_MS = 450

/** A template's editor on the left, its preview on the right. */
export function TemplateEditor({
  initial,
  earlier,
  variables,
  preview: first,
  sender,
  origin,
  saveAction,
  recipients,
  previewAction,
  testAction,
  cancel,
  children,
}: Props) {
  const [draft, setDraft] = useState(initial)
  const [dark, setDark] = useState(false)
  const [claimId, setClaimId] = useState<string | null>(null)
  const [preview, setPreview] = useState(first)
  const [stale, setStale] = useState(false)
  const [side, setSide] = useState<'write' | 'preview'>('write')
  const [sending, send] = useTransition()
  const subject = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const body = useRef<HTMLTextAreaElement>(null)
  const last = useRef<Field>('body')
  const latestRequest = useRef(0)
  const begun = useRef(false)

  useEffect(() => {
    if (!begun.current) {
      begun.current = true
      return
    }
    const request = ++latestRequest.current
    setStale(true)
    const show = async () => {
      const shown = await previewAction(draft, dark, claimId).catch(() => null)
      if (request !== latestRequest.current) return
      if (shown) setPreview(shown)
      setStale(false)
    }
    const timer = setTimeout(() => void show(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft, dark, claimId, previewAction])

  const areaOf = (field: Field) => ({ subject, text, body })[field].current
  const put = (field: Field, value: string) => setDraft((before) => ({ ...before, [field]: value }))
  const errorsOf = (field: Field) => preview.errors.filter((error) => error.field === field)
  const linesOf = (field: Field) => errorsOf(field).flatMap(({ line }) => line ?? [])
  const wrong = (field: Field) => (errorsOf(field).length > 0 ? errorsOf(field).map(({ detail }) => detail) : null)

  function insert({ name, optional }: EditorVariable) {
    const field = last.current
    const area = areaOf(field)
    const words = optional ? `{{#${name}}}{{${name}}}{{/${name}}}` : `{{${name}}}`
    const [from, to] = [area?.selectionStart ?? draft[field].length, area?.selectionEnd ?? draft[field].length]
    put(field, draft[field].slice(0, from) + words + draft[field].slice(to))
    setSide('write')
    requestAnimationFrame(() => {
      area?.focus()
      area?.setSelectionRange(from + words.length, from + words.length)
    })
  }

  function goTo(field: Field, line: number) {
    const area = areaOf(field)
    const start =
      draft[field]
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0)
    const end = draft[field].indexOf('\n', start)
    area?.focus()
    area?.setSelectionRange(start, end === -1 ? draft[field].length : end)
  }

  const test = () =>
    send(async () => {
      const done = await testAction(draft)
      if (done?.ok) toast.success(done.message ?? 'Sent.')
      else toast.error([done?.message, ...Object.values(done?.fields ?? {}).flat()].filter(Boolean).join(' '))
    })

  return (
    <div className="grid gap-4">
      <div
        role="group"
        aria-label="Write or look"
        className="grid grid-cols-2 gap-1 rounded-md border bg-pane p-1 xl:hidden"
      >
        {(['write', 'preview'] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={side === each}
            onClick={() => setSide(each)}
            className={classes(
              'min-h-10 rounded-sm text-sm font-medium',
              side === each ? 'bg-glass-soft text-glass' : 'text-muted hover:text-ink',
            )}
          >
            {each === 'write' ? 'Write' : 'Preview'}
          </button>
        ))}
      </div>
      <div className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className={classes('grid min-w-0 gap-6', side === 'preview' && 'max-xl:hidden')}>
          <ActionForm
            action={saveAction}
            draft={earlier ? 'earlier' : 'template'}
            draftParts={{ draft: draftPart(draft, setDraft) }}
            className="gap-6"
          >
            <FormField name="subject" label="Subject" error={wrong('subject')} required>
              <Input
                ref={subject}
                name="subject"
                value={draft.subject}
                maxLength={255}
                autoComplete="off"
                onFocus={() => (last.current = 'subject')}
                onChange={(event) => put('subject', event.target.value)}
              />
            </FormField>
            <Part field="body" goTo={goTo} lines={linesOf('body')}>
              <FormField
                name="body"
                label="Body"
                hint={
                  draft.format === 'MJML'
                    ? 'MJML: looks the same in every email app.'
                    : 'HTML. Scripts, forms, frames and style sheets from elsewhere are removed.'
                }
                error={wrong('body')}
                required
              >
                <CodeArea
                  ref={body}
                  name="body"
                  value={draft.body}
                  rows={24}
                  maxLength={100_000}
                  marked={linesOf('body')}
                  onFocus={() => (last.current = 'body')}
                  onChange={(value) => put('body', value)}
                />
              </FormField>
            </Part>
            <FormField name="format" label="The body is written in" className="max-w-xs">
              <Select
                name="format"
                value={draft.format}
                onChange={(event) => setDraft({ ...draft, format: event.target.value as TemplateDraft['format'] })}
              >
                <option value="MJML">MJML</option>
                <option value="HTML">HTML</option>
              </Select>
            </FormField>
            <Part field="text" goTo={goTo} lines={linesOf('text')}>
              <FormField
                name="text"
                label="Text"
                hint="For recipients who read plain text only."
                error={wrong('text')}
                required
              >
                <CodeArea
                  ref={text}
                  name="text"
                  value={draft.text}
                  rows={10}
                  maxLength={20_000}
                  marked={linesOf('text')}
                  onFocus={() => (last.current = 'text')}
                  onChange={(value) => put('text', value)}
                />
              </FormField>
            </Part>
            <div className="flex flex-wrap gap-2">
              <Submit>Save</Submit>
              <Button onClick={test} busy={sending} icon={<Send aria-hidden="true" className="size-4" />}>
                Send me a test
              </Button>
              <LinkButton href={cancel} variant="quiet">
                Cancel
              </LinkButton>
            </div>
          </ActionForm>
          <Variables variables={variables} onInsert={insert} />
          {children}
        </div>
        <div className={classes('min-w-0 xl:sticky xl:top-8', side === 'write' && 'max-xl:hidden')}>
          <TemplatePreview
            preview={preview}
            stale={stale}
            sender={sender}
            origin={origin}
            dark={dark}
            onDark={setDark}
            recipients={recipients}
            claimId={claimId}
            onClaim={setClaimId}
          />
        </div>
      </div>
    </div>
  )
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
  return (
    <div className="grid min-w-0 gap-2">
      {children}
      {lines.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {[...new Set(lines)].map((line) => (
            <Button key={line} size="sm" onClick={() => goTo(field, line)}>
              Go to line {line}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function Variables({
  variables,
  onInsert,
}: {
  variables: EditorVariable[]
  onInsert: (variable: EditorVariable) => void
}) {
  return (
    <section className="rounded-lg border bg-pane">
      <h2 className="px-5 pt-4 font-medium">Variables</h2>
      <p className="px-5 pt-0.5 pb-3 text-sm text-muted">
        Each is inserted where your cursor was last. Optional ones come inside their section.
      </p>
      <ul className="divide-y border-t">
        {variables.map((variable) => (
          <li key={variable.name} className="flex items-center justify-between gap-4 px-5 py-2.5">
            <span className="grid min-w-0 gap-0.5 text-sm">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <code className="figures wrap-anywhere">{`{{${variable.name}}}`}</code>
                {variable.required && <Badge tone="warning">Needed</Badge>}
                {variable.optional && <Badge>Optional</Badge>}
              </span>
              <span className="text-muted wrap-anywhere">
                {variable.meaning} Such as: {variable.sample}
              </span>
            </span>
            <Button size="sm" onClick={() => onInsert(variable)}>
              Insert<span className="sr-only"> {variable.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
