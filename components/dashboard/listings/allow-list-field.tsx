'use client'

import { useState } from 'react'
import { FileUp } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { FormError } from '../forms/action-form'
import { checkList } from './allow-list'
import type { Verdict } from './allow-list'

/** The endpoint's limit for one call. */
const MAX_ENTRIES = 5_000
const MAX_LINES_SHOWN = 50
const MAX_BYTES = 2 * 1024 * 1024

/** `addresses` and `emails` are the names of the body's two fields. */
type Props = { addresses: string; emails: string; optional?: boolean }

/** Addresses and emails, pasted or from a file. Each line is validated before anything is sent; invalid lines are left out. */
export function AllowListField({ addresses, emails, optional = false }: Props) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const verdicts = checkList(text)
  const valuesOf = (kind: 'address' | 'email') =>
    verdicts.flatMap((verdict) => (verdict.kind === kind ? [verdict.value] : []))
  const [listed, mailed] = [valuesOf('address'), valuesOf('email')]
  const tooMany = Math.max(listed.length, mailed.length) > MAX_ENTRIES

  async function read(file: File | undefined) {
    if (!file) return
    if (file.size > MAX_BYTES) return setProblem('This file is larger than 2 MB. Split it.')
    const content = await file.text().catch(() => null)
    setProblem(content === null ? 'This file could not be read.' : null)
    if (content !== null) setText(content)
  }

  return (
    <div className="grid gap-3">
      <Field
        label="Addresses and emails"
        hint="One per line, or a CSV file: its first column with addresses or emails is used."
        error={
          tooMany ? `At most ${MAX_ENTRIES.toLocaleString('en')} of each at once. Add the rest afterwards.` : problem
        }
        optional={optional}
      >
        <Textarea
          rows={6}
          value={text}
          onChange={(event) => setText(event.target.value)}
          spellCheck={false}
          autoCapitalize="none"
          className="figures"
          placeholder={'0x7099…79C8\nada@example.com'}
        />
      </Field>
      <label className="w-fit">
        <input
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          className="peer sr-only"
          onChange={(event) => void read(event.target.files?.[0])}
        />
        <span className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-md border border-edge bg-pane px-3 text-sm font-medium peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-glass hover:border-ink hover:bg-well">
          <FileUp aria-hidden="true" className="size-4" />
          Read a CSV file
        </span>
      </label>
      <input type="hidden" name={`${addresses}:json`} value={JSON.stringify(listed)} />
      <input type="hidden" name={`${emails}:json`} value={JSON.stringify(mailed)} />
      <FormError name={addresses} />
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
  if (verdicts.length === 0) return null
  const count = (kind: Verdict['kind']) => verdicts.filter((verdict) => verdict.kind === kind).length
  const off = verdicts.filter((verdict) => verdict.kind === 'wrong' || verdict.kind === 'repeated')
  const counts = [
    [count('address'), 'address', 'addresses'],
    [count('email'), 'email', 'emails'],
    [count('repeated'), 'repeated line', 'repeated lines'],
    [count('wrong'), 'wrong line', 'wrong lines'],
  ] as const
  return (
    <div className="grid gap-3 rounded-md border p-4 text-sm">
      <p role="status" className="font-medium">
        {counts
          .flatMap(([many, one, several]) =>
            many > 0 ? [`${many.toLocaleString('en')} ${many === 1 ? one : several}`] : [],
          )
          .join(', ')}
      </p>
      {off.length > 0 && (
        <>
          <ul className="grid gap-1.5">
            {off.slice(0, MAX_LINES_SHOWN).map((verdict) => (
              <li key={verdict.line} className="flex flex-wrap gap-x-3">
                <span className="text-muted">Line {verdict.line}</span>
                <span className="figures min-w-0 break-all">{verdict.text}</span>
                <span className={verdict.kind === 'wrong' ? 'text-bad' : 'text-muted'}>
                  {verdict.kind === 'wrong' ? verdict.why : 'It is already listed above.'}
                </span>
              </li>
            ))}
          </ul>
          {off.length > MAX_LINES_SHOWN && <p className="text-muted">And {off.length - MAX_LINES_SHOWN} more.</p>}
          <div>
            <Button size="sm" onClick={onDrop}>
              Remove these lines
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
