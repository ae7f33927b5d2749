'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Pencil, Plus } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Textarea } from '@/components/ui/textarea'
import type * as perks from '@/lib/platform/api/perks'
import { fetchOrUnreachable, jsonIn } from '@/packages/client/src/call'
import { api, route } from '../../shared/api'
import { CodesField, codesIn } from './codes-field'
import { SentForm } from './sent-form'

const createRoute = route<typeof perks.createPerk>('POST', '/v1/perks')
const updateRoute = route<typeof perks.updatePerk>('PATCH', '/v1/perks/{perk_id}')

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
    else await api(createRoute, { body: { ...common, [kind === 'TEXT' ? 'text' : 'url']: textOf(form, 'content') } })
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
      <Field label={t('title')} hint={t('titleHint')} required>
        <Input name="title" maxLength={255} autoComplete="off" />
      </Field>
      <RadioChoices legend={t('kind')} name="kind" options={options} value={kind} onChange={setKind} />
      <Content kind={kind} />
      <PublicBox isPublic />
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
        <Field label={t('text')} required>
          <Textarea name="content" maxLength={10_000} rows={5} />
        </Field>
      )
    case 'LINK':
      return (
        <Field label={t('address')} required>
          <Input
            name="content"
            type="url"
            inputMode="url"
            placeholder="https://"
            pattern="https://.*"
            autoComplete="off"
          />
        </Field>
      )
    case 'FILE':
      return (
        <Field label={t('file')} hint={t('fileLimit')} required>
          <Input name="file" type="file" />
        </Field>
      )
    case 'CODES':
      return <CodesField />
  }
}

function PublicBox({ isPublic }: { isPublic: boolean }) {
  const t = useTranslations('dashboard.perks.form')
  return <Checkbox name="is_public" defaultChecked={isPublic} label={t('isPublic')} hint={t('isPublicHint')} />
}

type Editable = { id: string; title: string; isPublic: boolean; text: string | null; url: string | null }

/** Changes a perk’s title, whether it is announced, and its text or link. */
export function EditPerk({ perk }: { perk: Editable }) {
  const t = useTranslations('dashboard.perks.form')
  const content = perk.text !== null ? 'text' : perk.url !== null ? 'url' : null

  async function send(form: FormData): Promise<string> {
    await api(updateRoute, {
      params: { perk_id: perk.id },
      body: {
        title: textOf(form, 'title'),
        is_public: form.has('is_public'),
        ...(content && { [content]: textOf(form, 'content') }),
      },
    })
    return t('changed')
  }

  return (
    <SentForm
      trigger={
        <Button size="sm" icon={<Pencil aria-hidden="true" className="size-4" />}>
          {t('edit')}
        </Button>
      }
      title={t('editTitle')}
      confirm={t('save')}
      send={send}
    >
      <Field label={t('title')} required>
        <Input name="title" maxLength={255} defaultValue={perk.title} autoComplete="off" />
      </Field>
      {content === 'text' && (
        <Field label={t('text')} required>
          <Textarea name="content" maxLength={10_000} rows={5} defaultValue={perk.text ?? ''} />
        </Field>
      )}
      {content === 'url' && (
        <Field label={t('address')} required>
          <Input name="content" type="url" inputMode="url" pattern="https://.*" defaultValue={perk.url ?? ''} />
        </Field>
      )}
      <PublicBox isPublic={perk.isPublic} />
    </SentForm>
  )
}
