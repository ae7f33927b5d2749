'use client'

import { useState } from 'react'
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
type Kind = 'TEXT' | 'LINK' | 'FILE' | 'CODES'

const KINDS = [
  { value: 'TEXT', label: 'A text' },
  { value: 'LINK', label: 'A link' },
  { value: 'FILE', label: 'A file', hint: 'It has no public address: only holders download it.' },
  { value: 'CODES', label: 'A code each', hint: 'For each unit one, to the first holder who asks.' },
] as const

const textOf = (form: FormData, name: string): string => (form.get(name) as string | null)?.trim() ?? ''

/** Adds a perk to an item or to a collection. */
export function AddPerk({ place }: { place: PerkPlace }) {
  const [kind, setKind] = useState<Kind>('TEXT')

  async function send(form: FormData): Promise<string> {
    const common = { ...place, title: textOf(form, 'title'), is_public: form.has('is_public') }
    if (kind === 'FILE') await sendFile(form.get('file') as File, common)
    else if (kind === 'CODES')
      await api(createRoute, { body: { ...common, codes: codesIn((form.get('codes') as string | null) ?? '') } })
    else await api(createRoute, { body: { ...common, [kind === 'TEXT' ? 'text' : 'url']: textOf(form, 'content') } })
    return 'The perk is added.'
  }

  return (
    <SentForm
      trigger={
        <Button size="sm" icon={<Plus aria-hidden="true" className="size-4" />}>
          Add a perk
        </Button>
      }
      title="Add a perk"
      description={
        'item_id' in place
          ? 'Only the present holder of the item sees it.'
          : 'Only present holders of its items see it.'
      }
      confirm="Add it"
      send={send}
    >
      <Field label="Title" hint="What holders get, in a few words." required>
        <Input name="title" maxLength={255} autoComplete="off" />
      </Field>
      <RadioChoices legend="What they get" name="kind" options={KINDS} value={kind} onChange={setKind} />
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
  switch (kind) {
    case 'TEXT':
      return (
        <Field label="Text" required>
          <Textarea name="content" maxLength={10_000} rows={5} />
        </Field>
      )
    case 'LINK':
      return (
        <Field label="Address" required>
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
        <Field label="File" hint="Up to 10 MiB." required>
          <Input name="file" type="file" />
        </Field>
      )
    case 'CODES':
      return <CodesField />
  }
}

const PublicBox = ({ isPublic }: { isPublic: boolean }) => (
  <Checkbox
    name="is_public"
    defaultChecked={isPublic}
    label="Say on public pages that holders get this"
    hint="The title is shown there, never what it stands for."
  />
)

type Editable = { id: string; title: string; isPublic: boolean; text: string | null; url: string | null }

/** Changes a perk’s title, whether it is announced, and its text or link. */
export function EditPerk({ perk }: { perk: Editable }) {
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
    return 'The perk is changed.'
  }

  return (
    <SentForm
      trigger={
        <Button size="sm" icon={<Pencil aria-hidden="true" className="size-4" />}>
          Edit
        </Button>
      }
      title="Edit the perk"
      confirm="Save"
      send={send}
    >
      <Field label="Title" required>
        <Input name="title" maxLength={255} defaultValue={perk.title} autoComplete="off" />
      </Field>
      {content === 'text' && (
        <Field label="Text" required>
          <Textarea name="content" maxLength={10_000} rows={5} defaultValue={perk.text ?? ''} />
        </Field>
      )}
      {content === 'url' && (
        <Field label="Address" required>
          <Input name="content" type="url" inputMode="url" pattern="https://.*" defaultValue={perk.url ?? ''} />
        </Field>
      )}
      <PublicBox isPublic={perk.isPublic} />
    </SentForm>
  )
}
