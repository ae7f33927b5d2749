'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Sentence } from '@/components/ui/sentence'
import { Choice } from '../forms/choice'
import { DownloadLink } from '../forms/download-link'
import { hrefOf } from '../lists/href'

/** The exports, and whether each can be limited to a time. */
const DATED = { items: true, holders: false, claims: true, purchases: true } as const

type File = keyof typeof DATED

/** CSV exports, filtered by collection and time. */
export function ExportForm({
  files,
  collections,
}: {
  files: readonly File[]
  collections: readonly (readonly [string, string])[]
}) {
  const t = useTranslations('dashboard.imports.exports')
  const [file, setFile] = useState<File>(files[0]!)
  const [values, setValues] = useState<Record<string, string>>({})
  const dated = DATED[file]
  const fileName = `${file}.csv`
  const { from, to, collection_id } = values
  const wrong = dated && from && to && from > to ? t('order') : null
  return (
    <Card title={t('title')} description={t('description')}>
      <div className="grid gap-4" id="exports" onChange={(event) => remember(event.target as HTMLInputElement)}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <Field label={t('what')}>
            <Select name="file" value={file} onChange={(event) => setFile(event.target.value as File)}>
              {files.map((one) => (
                <option key={one} value={one}>
                  {t(`${one}.name`)}
                </option>
              ))}
            </Select>
          </Field>
          <Choice label={t('collection')} name="collection_id" value={null} options={collections} any={t('all')} />
          {dated && (
            <>
              <Field label={t('from')}>
                <Input name="from" type="date" defaultValue={from ?? ''} />
              </Field>
              <Field label={t('until')} error={wrong}>
                <Input name="to" type="date" defaultValue={to ?? ''} />
              </Field>
            </>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-sm text-muted">{t(`${file}.says`)}</p>
          <DownloadLink
            href={hrefOf(`/v1/exports/${fileName}`, { collection_id, ...(dated && { from, to }) })}
            name={fileName}
          >
            <Sentence>
              {t.rich('download', {
                name: t(`${file}.name`),
                what: (text) => <span className="sr-only">{text}</span>,
              })}
            </Sentence>
          </DownloadLink>
        </div>
      </div>
    </Card>
  )

  function remember({ name: changed, value }: HTMLInputElement) {
    if (changed !== 'file') setValues((before) => ({ ...before, [changed]: value }))
  }
}
