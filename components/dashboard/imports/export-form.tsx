'use client'

import { useState } from 'react'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Choice } from '../forms/choice'
import { DownloadLink } from '../forms/download-link'
import { hrefOf } from '../lists/href'

const FILES = {
  items: {
    name: 'Items',
    says: 'All items with their attributes and token ids. The file can be imported again.',
    dated: true,
  },
  holders: { name: 'Holders', says: 'Who owns how many of which item right now.', dated: false },
  claims: {
    name: 'Email claims',
    says: 'Who was sent what, and its current state. The links are secret and not included.',
    dated: true,
  },
  purchases: { name: 'Purchases', says: 'Who bought what, for how much, and whether it was delivered.', dated: true },
} as const

type File = keyof typeof FILES

/** CSV exports, filtered by collection and time. */
export function ExportForm({
  files,
  collections,
}: {
  files: readonly File[]
  collections: readonly (readonly [string, string])[]
}) {
  const [file, setFile] = useState<File>(files[0]!)
  const [values, setValues] = useState<Record<string, string>>({})
  const { says, dated, name } = FILES[file]
  const { from, to, collection_id } = values
  const wrong = dated && from && to && from > to ? 'The end must be after the start.' : null
  return (
    <Card title="Exports" description="Download your data as CSV files.">
      <div className="grid gap-4" id="exports" onChange={(event) => remember(event.target as HTMLInputElement)}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <Field label="What">
            <Select name="file" value={file} onChange={(event) => setFile(event.target.value as File)}>
              {files.map((one) => (
                <option key={one} value={one}>
                  {FILES[one].name}
                </option>
              ))}
            </Select>
          </Field>
          <Choice label="Collection" name="collection_id" value={null} options={collections} any="All" />
          {dated && (
            <>
              <Field label="From">
                <Input name="from" type="date" defaultValue={from ?? ''} />
              </Field>
              <Field label="Until" error={wrong}>
                <Input name="to" type="date" defaultValue={to ?? ''} />
              </Field>
            </>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-sm text-muted">{says}</p>
          <DownloadLink
            href={hrefOf(`/v1/exports/${file}.csv`, { collection_id, ...(dated && { from, to }) })}
            name={`${file}.csv`}
          >
            Download<span className="sr-only"> {name}</span>
          </DownloadLink>
        </div>
      </div>
    </Card>
  )

  function remember({ name: changed, value }: HTMLInputElement) {
    if (changed !== 'file') setValues((before) => ({ ...before, [changed]: value }))
  }
}
