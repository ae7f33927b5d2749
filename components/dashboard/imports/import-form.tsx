'use client'

import type { SubmitEvent } from 'react'
import { useRef, useState } from 'react'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { FileSpreadsheet } from 'lucide-react'
import { downloadText } from '@/components/shared/download'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { type CampaignChoice, CampaignSelect } from '../campaigns/campaign-select'
import { DropZone } from '../forms/drop-zone'
import { draftPart, useUnsaved } from '../forms/use-unsaved'
import { uploadImport } from './import-upload'
import { SAMPLES } from './import-labels'
import type { ImportKind } from './import-labels'
import { sizeOf } from '../forms/upload'
import { PayerChoice } from '../claims/payer-choice'

type ImportProblem = { message: string; fields: Record<string, string[]> }
type Named = { id: string; name: string }
type Props = {
  kinds: readonly ImportKind[]
  kind: ImportKind
  collections: readonly Named[]
  /** Collections whose items can be sent. */
  deployed: readonly Named[]
  /** Items with several units, of the collection that is chosen at first: each recipient gets one unit. */
  editions: readonly Named[]
  /** Finds items with several units, of another collection or (null) of all. */
  editionsAction: (collectionId: string | null) => Promise<Named[]>
  campaigns: CampaignChoice[]
  collectionId: string
  cancel: string
}

const MAX_BYTES = 25 * 1024 * 1024

/** Uploads a file for import. Uploading changes nothing: every line is validated first. */
export function ImportForm({
  kinds,
  kind: first,
  collections,
  deployed,
  editions,
  editionsAction,
  campaigns,
  collectionId,
  cancel,
}: Props) {
  const t = useTranslations('dashboard.imports')
  const locale = useLocale()
  const router = useRouter()
  const [kind, setKind] = useState(first)
  const [file, setFile] = useState<File | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ImportProblem | null>(null)
  const place = useRef<HTMLFormElement>(null)
  useUnsaved({ form: place, parts: { file: draftPart(file?.name, () => undefined) } })
  const sample = SAMPLES[kind]

  function take([chosen]: File[]) {
    if (!chosen) return
    const tooLarge = chosen.size > MAX_BYTES
    setProblem(tooLarge ? { message: t('form.tooLarge'), fields: { file: [t('form.tooLargeText')] } } : null)
    setFile(tooLarge ? null : chosen)
  }

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!file) return setProblem({ message: t('form.noFile'), fields: { file: [t('form.noFileText')] } })
    const data = new FormData()
    for (const [name, value] of new FormData(event.currentTarget))
      if (value !== '' && name !== 'kind') data.set(name, value)
    data.set('file', file, file.name)
    setBusy(true)
    setProblem(null)
    const answer = await uploadImport(kind, data)
    if ('id' in answer) return router.push(`/dashboard/imports/${answer.id}`)
    setBusy(false)
    const { failed, detail, fields } = answer
    setProblem({ message: locale === 'en' && detail ? detail : t(`form.failed.${failed}`), fields })
  }

  const fileProblems = problem?.fields.file ?? []
  const others = Object.entries(problem?.fields ?? {}).filter(
    ([name]) => !['file', 'csv', 'collection_id', 'item_id'].includes(name),
  )
  return (
    <form ref={place} onSubmit={(event) => void send(event)} noValidate className="grid max-w-2xl gap-6">
      {problem && (
        <Alert tone="danger" live title={problem.message}>
          {others.length > 0 && others.flatMap(([name, lines]) => lines.map((line) => <p key={name + line}>{line}</p>))}
        </Alert>
      )}
      {kinds.length > 1 && (
        <RadioChoices
          legend={t('form.whatIsIn')}
          name="kind"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'ITEMS', label: t('kinds.ITEMS'), hint: t('form.itemsHint') },
            { value: 'EMAIL_CLAIMS', label: t('kinds.EMAIL_CLAIMS'), hint: t('form.claimsHint') },
          ]}
        />
      )}
      {kind === 'ITEMS' ? (
        <Field key="items" label={t('form.intoCollection')} error={problem?.fields.collection_id ?? null} required>
          <Select name="collection_id" defaultValue={collectionId}>
            <Options of={collections} />
          </Select>
        </Field>
      ) : (
        <ClaimFields
          key="claims"
          deployed={deployed}
          editions={editions}
          editionsAction={editionsAction}
          campaigns={campaigns}
          collectionId={collectionId}
          problem={problem}
        />
      )}
      <div className="grid gap-2">
        <DropZone
          onFiles={take}
          busy={busy}
          button={file ? t('form.chooseOther') : t('form.chooseFile')}
          label={t('form.csvFile')}
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          className="grid justify-items-center gap-3 px-6 py-8 text-center"
        >
          <FileSpreadsheet aria-hidden="true" className="size-8 text-muted" />
          <p role="status" className="text-sm wrap-anywhere">
            {file ? (
              <span>
                <span className="font-medium">{file.name}</span>{' '}
                <span className="text-muted">{sizeOf(file.size, locale)}</span>
              </span>
            ) : (
              <span className="text-muted">{t('form.drop')}</span>
            )}
          </p>
        </DropZone>
        <div aria-live="polite">
          {fileProblems.map((line) => (
            <p key={line} className="text-sm text-bad">
              {line}
            </p>
          ))}
        </div>
      </div>
      <div className="grid gap-3 rounded-md bg-well p-4 text-sm">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="font-medium">{t('form.columns')}</h2>
          <Button size="sm" onClick={() => downloadText(sample.name, sample.text, 'text/csv')}>
            {t('form.sample')}
          </Button>
        </div>
        <dl className="grid gap-1.5">
          {sample.columns.map(([name, key]) => (
            <div key={key} className="flex flex-wrap gap-x-3">
              <dt className="figures w-28 shrink-0">{name ?? t('columns.otherName')}</dt>
              <dd className="min-w-0 text-muted">{t(`columns.${key}`)}</dd>
            </div>
          ))}
        </dl>
        <p className="text-muted">{t('form.columnsText')}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="lg" busy={busy}>
          {t('form.check')}
        </Button>
        <LinkButton href={cancel} variant="quiet" size="lg">
          {t('form.cancel')}
        </LinkButton>
      </div>
      <p className="text-sm text-muted">{t(`form.checkedFirst.${kind}`)}</p>
    </form>
  )
}

function ClaimFields({
  deployed,
  editions: first,
  editionsAction,
  campaigns,
  collectionId,
  problem,
}: Pick<Props, 'deployed' | 'editions' | 'editionsAction' | 'campaigns' | 'collectionId'> & {
  problem: ImportProblem | null
}) {
  const t = useTranslations('dashboard.imports.form')
  const [editions, setEditions] = useState(first)
  const latest = useRef('')

  /** Shows the items of the collection; those of another can't be sent with it. */
  async function choose(collection: string) {
    latest.current = collection
    const found = await editionsAction(collection || null).catch(() => [])
    if (latest.current === collection) setEditions(found)
  }

  return (
    <>
      <Field label={t('collection')} hint={t('collectionHint')} error={problem?.fields.collection_id ?? null}>
        <Select
          name="collection_id"
          defaultValue={deployed.some(({ id }) => id === collectionId) ? collectionId : ''}
          onChange={(event) => void choose(event.target.value)}
        >
          <option value="">{t('idsInFile')}</option>
          <Options of={deployed} />
        </Select>
      </Field>
      {editions.length > 0 && (
        <Field label={t('item')} hint={t('itemHint')} error={problem?.fields.item_id ?? null}>
          <Select name="item_id" defaultValue="">
            <option value="">{t('lineSays')}</option>
            <Options of={editions} />
          </Select>
        </Field>
      )}
      <CampaignSelect campaigns={campaigns} />
      <PayerChoice />
    </>
  )
}

const Options = ({ of }: { of: readonly Named[] }) =>
  of.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))
