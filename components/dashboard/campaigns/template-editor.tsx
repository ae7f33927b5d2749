'use client'

import { useEffect, useRef, useState, useTransition } from 'react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useLocale, useTranslations } from 'next-intl'
import { Send } from 'lucide-react'
import type { TemplateBlock, TemplateDraft } from '@/lib/platform/api/email-templates'
import type { ActionState, FormAction, Opened } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { classes } from '@/components/ui/classes'
import { toast } from '@/components/ui/toaster'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { ViewButton } from '../forms/view-button'
import { draftPart } from '../forms/use-unsaved'
import { TemplateBlocks } from './template-blocks'
import { TemplateMeanwhile } from './template-meanwhile'
import { type Preview, TemplatePreview } from './template-preview'
import { TemplateSource } from './template-source'
import { type Insert, TemplateText, TemplateTexts } from './template-text'
import { type EditorVariable, Variables } from './template-variables'

type Props = {
  initial: TemplateDraft
  /** The words that are in use, which it is compared with. */
  opened: Opened
  /** Its place has a template of its own. */
  isOwn: boolean
  /** Its name among the drafts of the page. */
  draftName: string
  /** The mail as it is without a template, and its language. */
  builtIn: { locale: string; subject: string; blocks: TemplateBlock[] }
  variables: EditorVariable[]
  preview: Preview
  sender: string
  origin: string
  saveAction: FormAction
  /** Claims as whose recipients the mail can be previewed. */
  recipients: { id: string; email: string }[]
  previewAction: (draft: TemplateDraft, dark: boolean, claimId: string | null) => Promise<Preview | null>
  testAction: (draft: TemplateDraft) => Promise<ActionState>
  /** Text and body that blocks make; null: they can’t be made now. */
  codeAction: (
    subject: string,
    blocks: TemplateBlock[],
  ) => Promise<Pick<TemplateDraft, 'text' | 'format' | 'body'> | null>
  cancel: string
  /** The version list and the button that restores the default. */
  children: ReactNode
}

const PAUSE_MS = 450

/** A template's editor on the left, its preview on the right. It begins anew once its template was reset. */
export function TemplateEditor(props: Props) {
  const { isOwn } = props
  const [{ wasOwn, resets }, setSeen] = useState({ wasOwn: isOwn, resets: 0 })
  if (wasOwn !== isOwn) setSeen({ wasOwn: isOwn, resets: isOwn ? resets : resets + 1 })
  return <Editor key={resets} {...props} />
}

function Editor({
  initial,
  opened,
  draftName,
  builtIn,
  variables,
  preview: first,
  sender,
  origin,
  saveAction,
  recipients,
  previewAction,
  testAction,
  codeAction,
  cancel,
  children,
}: Props) {
  const t = useTranslations('dashboard.campaigns.editor')
  const [draft, setDraft] = useState(initial)
  const [dark, setDark] = useState(false)
  const [claimId, setClaimId] = useState<string | null>(null)
  const [preview, setPreview] = useState(first)
  const [stale, setStale] = useState(false)
  const [side, setSide] = useState<'write' | 'preview'>('write')
  const [sending, send] = useTransition()
  const focused = useRef<Insert>(null)
  const blocksField = useRef<HTMLInputElement>(null)
  const languages = new Intl.DisplayNames(useLocale(), { type: 'language' })
  const [view, setView] = useState<'blocks' | 'code'>(initial.blocks ? 'blocks' : 'code')
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

  const put = (part: Partial<TemplateDraft>) => setDraft((before) => ({ ...before, ...part }))
  const onFocus = (insert: Insert) => void (focused.current = insert)
  const inSubject = preview.errors.filter(({ field }) => field === 'subject').map(({ detail }) => detail)
  const inBlocks = Map.groupBy(
    preview.errors.filter(({ field }) => field === 'body'),
    ({ line }) => line ?? 0,
  )
  const ofBlocks = new Map([...inBlocks].map(([block, errors]) => [block, errors.map(({ detail }) => detail)]))

  // Moved and removed blocks fire no input event, but the surrounding form listens to them.
  const announced = useRef(draft.blocks)
  useEffect(() => {
    if (announced.current !== draft.blocks) blocksField.current?.dispatchEvent(new Event('input', { bubbles: true }))
    announced.current = draft.blocks
  }, [draft.blocks])

  const isBuiltIn = draft.subject === builtIn.subject && JSON.stringify(draft.blocks) === JSON.stringify(builtIn.blocks)

  function insert({ name, optional, flag }: EditorVariable) {
    if (!focused.current) return void toast(t('fieldFirst'))
    flushSync(() => setSide('write'))
    if (flag) focused.current(`{{#${name}}}`, `{{/${name}}}`)
    else focused.current(optional ? `{{#${name}}}{{${name}}}{{/${name}}}` : `{{${name}}}`)
  }

  /** Shows other words in the editor, until that is undone. */
  function replaceBy(words: Partial<TemplateDraft>, done: string) {
    const before = { draft, view }
    put(words)
    setView(words.blocks ? 'blocks' : 'code')
    const undo = () => {
      setDraft(before.draft)
      setView(before.view)
    }
    toast(done, { action: { label: t('undo'), onClick: undo } })
  }

  const startFromBuiltIn = () => replaceBy({ subject: builtIn.subject, blocks: builtIn.blocks }, t('builtInDone'))

  const writeCode = () =>
    send(async () => {
      const code = await codeAction(draft.subject, draft.blocks ?? []).catch(() => null)
      if (code) put({ ...code, blocks: null })
      else toast.error(t('codeFailed'))
    })

  const test = () =>
    send(async () => {
      const done = await testAction(draft)
      if (done?.ok) toast.success(done.message ?? t('sent'))
      else toast.error([done?.message, ...Object.values(done?.fields ?? {}).flat()].filter(Boolean).join(' '))
    })

  return (
    <div className="grid gap-4">
      <div
        role="group"
        aria-label={t('writeOrLook')}
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
            {t(each)}
          </button>
        ))}
      </div>
      <div className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className={classes('grid min-w-0 gap-6', side === 'preview' && 'max-xl:hidden')}>
          <ActionForm
            action={saveAction}
            opened={opened}
            draft={draftName}
            draftParts={{ draft: draftPart(draft, setDraft) }}
            className="gap-6"
          >
            <TemplateMeanwhile take={(theirs) => replaceBy(theirs, t('theirsDone'))} />
            <TemplateTexts variables={variables} onFocus={onFocus}>
              <div data-in-parts className="contents">
                <FormField name="subject" label={t('subject')} error={inSubject.length > 0 ? inSubject : null} required>
                  <div data-field="subject">
                    <input type="hidden" name="subject" value={draft.subject} />
                    <TemplateText value={draft.subject} onChange={(subject) => put({ subject })} />
                  </div>
                </FormField>
                <div className="flex flex-wrap items-center justify-between gap-2">
                  <div role="group" aria-label={t('howTo')} className="flex w-fit gap-1 rounded-md border p-1">
                    <ViewButton current={view === 'blocks'} onClick={() => setView('blocks')}>
                      {t('blocks')}
                    </ViewButton>
                    <ViewButton current={view === 'code'} onClick={() => setView('code')}>
                      {t('code')}
                    </ViewButton>
                  </div>
                  {!isBuiltIn && (
                    <Button size="sm" onClick={startFromBuiltIn}>
                      {t('builtIn', { language: languages.of(builtIn.locale) ?? builtIn.locale })}
                    </Button>
                  )}
                </div>
                {!draft.blocks && view === 'blocks' && (
                  <>
                    {(['text', 'format', 'body'] as const).map((part) => (
                      <input key={part} type="hidden" name={part} value={draft[part]} />
                    ))}
                  </>
                )}
                {draft.blocks && (
                  <>
                    <input ref={blocksField} type="hidden" name="blocks:json" value={JSON.stringify(draft.blocks)} />
                    <input type="hidden" name="body" value="" />
                  </>
                )}
                {view === 'blocks' && draft.blocks && (
                  <div data-field="blocks" className="grid gap-6">
                    <TemplateBlocks
                      blocks={draft.blocks}
                      change={(next) => setDraft((before) => ({ ...before, blocks: next(before.blocks ?? []) }))}
                      links={variables.filter(({ url, name }) => url && name !== 'image_url')}
                      problems={ofBlocks}
                    />
                    <div aria-live="polite">
                      {ofBlocks.has(0) && (
                        <Alert tone="warning" title={t('missing')}>
                          {ofBlocks.get(0)!.map((line) => (
                            <p key={line}>{line}</p>
                          ))}
                        </Alert>
                      )}
                    </div>
                    <FormError name="blocks" />
                  </div>
                )}
                {view === 'blocks' && !draft.blocks && (
                  <Alert
                    tone="info"
                    title={t('isCode')}
                    action={
                      <Button size="sm" onClick={() => put({ blocks: builtIn.blocks })}>
                        {t('fromBlocks')}
                      </Button>
                    }
                  >
                    {t('fromBlocksText')}
                  </Alert>
                )}
                {view === 'code' && !draft.blocks && (
                  <TemplateSource draft={draft} put={put} errors={preview.errors} onFocus={onFocus} />
                )}
                {view === 'code' && draft.blocks && (
                  <Alert
                    tone="info"
                    title={t('isBlocks')}
                    action={
                      <Button size="sm" busy={sending} onClick={writeCode}>
                        {t('asCode')}
                      </Button>
                    }
                  >
                    {t('asCodeText')}
                  </Alert>
                )}
              </div>
            </TemplateTexts>
            <div className="flex flex-wrap gap-2">
              <Submit>{t('save')}</Submit>
              <Button onClick={test} busy={sending} icon={<Send aria-hidden="true" className="size-4" />}>
                {t('test')}
              </Button>
              <LinkButton href={cancel} variant="quiet">
                {t('cancel')}
              </LinkButton>
            </div>
          </ActionForm>
          <Variables variables={variables} onInsert={insert} />
          <div className="contents">{children}</div>
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
