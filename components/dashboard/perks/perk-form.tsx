'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Pencil, Plus } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Textarea } from '@/components/ui/textarea'
import { withLineFeeds } from '@/lib/core/line-feeds'
import type { FormAction } from '@/lib/platform/api/form-action'
import type * as perks from '@/lib/platform/api/perks'
import { fetchOrUnreachable, jsonIn } from '@/packages/client/src/call'
import { api, route } from '../../shared/api'
import { FormField } from '../forms/action-form'
import { ConfirmAction } from '../forms/confirm-action'
import { Flag } from '../forms/section'
import { CodesField, codesIn } from './codes-field'
import { SentForm } from './sent-form'

const createRoute = route<typeof perks.createPerk>('POST', '/v1/perks')

export type PerkPlace = { item_id: string } | { collection_id: string }

const KINDS = ['TEXT', 'LINK', 'FILE', 'CODES'] as const
type Kind = (typeof KINDS)[number]

const textOf = (form: FormData, name: string): string => (form.get(name) as string | null)?.trim() ?? ''

/** Adds a perk to an item or to a collection. */
export function AddPerk({ place }: { place: PerkPlace }) {
  const t = useTranslations('dashboard.perks.form')
  const hints = { TEXT: undefined, LINK: undefined, FILE: t('fileHint'), CODES: t('codesHint') }
  const options = KINDS.map((value) => ({ value, label: t(`kinds.${value}`), hint: hints[value] }))
  const [kind, setKind] = useState<Kind>('TEXT')

  async function send(form: FormData): Promise<string> {
    const common = { ...place, title: textOf(form, 'title'), is_public: form.has('is_public') }
    if (kind === 'FILE') await sendFile(form.get('file') as File, common)
    else if (kind === 'CODES')
      await api(createRoute, { body: { ...common, codes: codesIn((form.get('codes') as string | null) ?? '') } })
    else if (kind === 'LINK') await api(createRoute, { body: { ...common, url: textOf(form, 'url') } })
    else await api(createRoute, { body: { ...common, text: withLineFeeds(String(form.get('text') ?? '')) } })
    return t('added')
  }

  return (
    <SentForm
      trigger={
        <Button size="sm" icon={<Plus aria-hidden="true" className="size-4" />}>
          {t('add')}
        </Button>
      }
      title={t('add')}
      description={'item_id' in place ? t('onlyHolder') : t('onlyHolders')}
      confirm={t('addConfirm')}
      send={send}
    >
      <FormField name="title" label={t('title')} hint={t('titleHint')} required>
        <Input name="title" maxLength={255} autoComplete="off" />
      </FormField>
      <RadioChoices legend={t('kind')} name="kind" options={options} value={kind} onChange={setKind} />
      <Content kind={kind} />
      <Checkbox name="is_public" defaultChecked label={t('isPublic')} hint={t('isPublicHint')} />
    </SentForm>
  )
}

async function sendFile(
  file: File,
  { is_public, ...common }: PerkPlace & { title: string; is_public: boolean },
): Promise<void> {
  const body = new FormData()
  for (const [name, value] of Object.entries(common)) body.set(name, value)
  body.set('is_public', String(is_public))
  body.set('file', file, file.name)
  await jsonIn(await fetchOrUnreachable(createRoute.path, { method: createRoute.method, body }))
}

function Content({ kind }: { kind: Kind }) {
  const t = useTranslations('dashboard.perks.form')
  switch (kind) {
    case 'TEXT':
      return (
        <FormField name="text" label={t('text')} required>
          <Textarea name="text" maxLength={10_000} rows={5} />
        </FormField>
      )
    case 'LINK':
      return (
        <FormField name="url" label={t('address')} required>
          <Input name="url" type="url" inputMode="url" placeholder="https://" autoComplete="off" />
        </FormField>
      )
    case 'FILE':
      return (
        <FormField name="file" label={t('file')} hint={t('fileLimit')} required>
          <Input name="file" type="file" />
        </FormField>
      )
    case 'CODES':
      return <CodesField />
  }
}

type Editable = { id: string; title: string; isPublic: boolean; text: string | null; url: string | null }

/** Changes a perk’s title, whether it is announced, and its text or link. */
export function EditPerk({ perk, action }: { perk: Editable; action: FormAction }) {
  const t = useTranslations('dashboard.perks.form')
  const { id, title, isPublic, text, url } = perk
  return (
    <ConfirmAction
      action={action}
      draft={`perk/${id}`}
      opened={{ title, is_public: isPublic, ...(text !== null && { text }), ...(url !== null && { url }) }}
      trigger={
        <Button size="sm" icon={<Pencil aria-hidden="true" className="size-4" />}>
          {t('edit')}
        </Button>
      }
      title={t('editTitle')}
      description={null}
      confirm={t('save')}
      tone="primary"
    >
      <FormField name="title" label={t('title')} required>
        <Input name="title" maxLength={255} defaultValue={title} autoComplete="off" />
      </FormField>
      {text !== null && (
        <FormField name="text" label={t('text')} required>
          <Textarea name="text:long" maxLength={10_000} rows={5} defaultValue={text} />
        </FormField>
      )}
      {url !== null && (
        <FormField name="url" label={t('address')} required>
          <Input name="url" type="url" inputMode="url" defaultValue={url} />
        </FormField>
      )}
      <Flag name="is_public" checked={isPublic} label={t('isPublic')} hint={t('isPublicHint')} />
    </ConfirmAction>
  )
}
