'use client'

import { useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'

/** Codes as lines, typed, pasted or read from a file. */
export function CodesField() {
  const [codes, setCodes] = useState('')
  const count = codesIn(codes).length
  return (
    <>
      <Field
        label="Codes"
        hint={count === 0 ? 'One a line. Each is given once.' : `${count.toLocaleString('en')} different codes.`}
        required
      >
        <Textarea
          name="codes"
          rows={6}
          className="figures"
          spellCheck={false}
          autoComplete="off"
          value={codes}
          onChange={({ target }) => setCodes(target.value)}
        />
      </Field>
      <Field label="Or a file with one code a line" optional>
        <Input
          type="file"
          accept=".txt,.csv,text/plain,text/csv"
          onChange={async ({ target }) => setCodes((await target.files?.[0]?.text()) ?? '')}
        />
      </Field>
    </>
  )
}

/** The different codes of a text. */
export const codesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n|\r/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]
