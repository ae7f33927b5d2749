'use client'

import type { SubmitEvent } from 'react'
import { useRef, useState } from 'react'
import { useTranslations } from 'next-intl'
import { Check } from 'lucide-react'
import type { BulkAction } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { toast } from '@/components/ui/toaster'
import { type CampaignChoice, CampaignSelect } from '../campaigns/campaign-select'
import { useFailureTexts } from '../forms/failure-texts'
import { useUnsaved } from '../forms/use-unsaved'
import { PayerChoice } from './payer-choice'

type Item = { id: string; title: string; collectionName: string }
type Props = {
  action: BulkAction
  items: readonly Item[]
  campaigns: CampaignChoice[]
  campaignId: string | null
  cancel: string
}

/** One email for each of several items. A repeat after a failure sends only those that weren't sent. */
export function BulkSendForm({ action, items, campaigns, campaignId, cancel }: Props) {
  const t = useTranslations('dashboard.claims.form')
  const { rowReason } = useFailureTexts()
  const [sent, setSent] = useState<ReadonlyMap<string, string>>(new Map())
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const place = useRef<HTMLFormElement>(null)
  const unsaved = useUnsaved({ form: place })
  const left = items.filter(({ id }) => !sent.has(id))

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const emailOf = (id: string) => String(form.get(`email-${id}`) ?? '').trim()
    const filled = left.filter(({ id }) => emailOf(id) !== '').map(({ id }) => id)
    if (filled.length === 0) return setFailed(t('noEmail'))
    setBusy(true)
    setFailed(null)
    const outcome = await action(filled, form).catch(() => null)
    setBusy(false)
    if (!outcome) return setFailed(t('failed'))
    unsaved.settle()
    setSent(new Map([...sent, ...outcome.done.map((id) => [id, emailOf(id)] as const)]))
    setProblems(new Map(outcome.failed.map((row) => [row.id, rowReason(row)])))
    if (outcome.done.length > 0) toast.success(t('sentMany', { count: outcome.done.length }))
    if (outcome.failed.length > 0)
      setFailed(t('sentSome', { count: outcome.done.length, failed: outcome.failed.length }))
  }

  return (
    <form ref={place} onSubmit={(event) => void send(event)} noValidate className="grid max-w-2xl gap-6">
      {failed && (
        <Alert tone="danger" live>
          {failed}
        </Alert>
      )}
      <ul className="grid gap-4">
        {items.map(({ id, title, collectionName }) =>
          sent.has(id) ? (
            <li key={id} className="flex items-start gap-2 text-sm">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-good" />
              <span className="min-w-0 wrap-anywhere">{t('sentOne', { title, email: sent.get(id) ?? '' })}</span>
            </li>
          ) : (
            <li key={id}>
              <Field
                label={<span className="wrap-anywhere">{`${title}, ${collectionName}`}</span>}
                error={problems.get(id) ?? null}
              >
                <Input
                  name={`email-${id}`}
                  type="email"
                  inputMode="email"
                  autoComplete="off"
                  placeholder="ada@example.com"
                />
              </Field>
            </li>
          ),
        )}
      </ul>
      {left.length > 0 && (
        <>
          <Field label={t('linksWorkFor')} className="max-w-60">
            <Select name="days:number" defaultValue="30">
              {[7, 30, 90].map((days) => (
                <option key={days} value={days}>
                  {t('days', { days })}
                </option>
              ))}
              <option value="365">{t('year')}</option>
            </Select>
          </Field>
          <PayerChoice />
          <CampaignSelect campaigns={campaigns} campaignId={campaignId} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {left.length > 0 && (
          <Button type="submit" variant="primary" size="lg" busy={busy}>
            {t('sendThem')}
          </Button>
        )}
        <LinkButton href={cancel} variant={left.length > 0 ? 'quiet' : 'primary'} size="lg">
          {left.length > 0 ? t('cancel') : t('toClaims')}
        </LinkButton>
      </div>
    </form>
  )
}
