'use client'

import { useState } from 'react'
import { useFormatter, useTranslations } from 'next-intl'
import { FileUp } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Textarea } from '@/components/ui/textarea'
import { FormError, FormField } from '../forms/action-form'
import { checkList } from './allow-list'
import type { Verdict } from './allow-list'

/** The endpoint's limit for one call. */
const MAX_ENTRIES = 5_000
const MAX_LINES_SHOWN = 50
const MAX_BYTES = 2 * 1024 * 1024
const KINDS = ['address', 'email', 'repeated', 'wrong'] as const

/** `addresses` and `emails` are the names of the body's two fields. */
type Props = { addresses: string; emails: string; optional?: boolean }

/**
 * Addresses and emails, pasted or from a file. Each is checked while it is typed; with wrong lines the form is refused.
 */
export function AllowListField({ addresses, emails, optional = false }: Props) {
  const t = useTranslations('dashboard.listings.allowListField')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const verdicts = checkList(text)
  const valuesOf = (kind: 'address' | 'email') =>
    verdicts.flatMap((verdict) => (verdict.kind === kind ? [verdict.value] : []))
  const [listed, mailed] = [valuesOf('address'), valuesOf('email')]
  const tooMany = Math.max(listed.length, mailed.length) > MAX_ENTRIES

  async function read(file: File | undefined) {
    if (!file) return
    if (file.size > MAX_BYTES) return setProblem(t('tooLarge'))
    const content = await file.text().catch(() => null)
    setProblem(content === null ? t('unreadable') : null)
    if (content !== null) setText(content)
  }

  return (
    <div data-field={addresses} className="grid gap-3">
      <FormField
        name={addresses}
        label={t('label')}
        hint={t('hint')}
        error={tooMany ? t('tooMany', { max: MAX_ENTRIES }) : problem}
        optional={optional}
      >
        <Textarea
          name="allow_list"
          rows={6}
          value={text}
          onChange={(event) => setText(event.target.value)}
          spellCheck={false}
          autoCapitalize="none"
          className="figures"
          placeholder={'0x7099…79C8\nada@example.com'}
        />
      </FormField>
      <label className="w-fit">
        <input
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          className="peer sr-only"
          onChange={(event) => void read(event.target.files?.[0])}
        />
        <span
          className={
            'inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-md border border-edge ' +
            'bg-pane px-3 text-sm font-medium peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 ' +
            'peer-focus-visible:outline-glass hover:border-ink hover:bg-well'
          }
        >
          <FileUp aria-hidden="true" className="size-4" />
          <span>{t('readFile')}</span>
        </span>
      </label>
      <input type="hidden" name={`${addresses}:json`} value={JSON.stringify(listed)} />
      <input type="hidden" name={`${emails}:json`} value={JSON.stringify(mailed)} />
      <FormError name={emails} />
      <Verdicts
        verdicts={verdicts}
        onDrop={() =>
          setText(
            verdicts
              .filter(({ kind }) => kind === 'address' || kind === 'email')
              .map((verdict) => verdict.text)
              .join('\n'),
          )
        }
      />
    </div>
  )
}

function Verdicts({ verdicts, onDrop }: { verdicts: Verdict[]; onDrop: () => void }) {
  const t = useTranslations('dashboard.listings.allowListField')
  const format = useFormatter()
  if (verdicts.length === 0) return null
  const count = (kind: Verdict['kind']) => verdicts.filter((verdict) => verdict.kind === kind).length
  const off = verdicts.filter((verdict) => verdict.kind === 'wrong' || verdict.kind === 'repeated')
  const counts = KINDS.filter((kind) => count(kind) > 0).map((kind) => t(`counts.${kind}`, { count: count(kind) }))
  return (
    <div className="grid gap-3 rounded-md border p-4 text-sm">
      <p role="status" className="font-medium">
        {format.list(counts, { type: 'unit', style: 'short' })}
      </p>
      {off.length > 0 && (
        <>
          <ul className="grid gap-1.5">
            {off.slice(0, MAX_LINES_SHOWN).map((verdict) => (
              <li key={`${verdict.line} ${verdict.text}`} className="flex flex-wrap gap-x-3">
                <span className="text-muted">{t('line', { number: verdict.line })}</span>
                <span className="figures min-w-0 break-all">{verdict.text}</span>
                <span className={verdict.kind === 'wrong' ? 'text-bad' : 'text-muted'}>
                  {verdict.kind === 'wrong' ? t(`why.${verdict.why}`) : t('repeated')}
                </span>
              </li>
            ))}
          </ul>
          {off.length > MAX_LINES_SHOWN && (
            <p className="text-muted">{t('more', { count: off.length - MAX_LINES_SHOWN })}</p>
          )}
          <div>
            <Button size="sm" onClick={onDrop}>
              {t('drop')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
