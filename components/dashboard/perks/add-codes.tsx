'use client'

import { Button } from '@/components/ui/button'
import type { addPerkCodes } from '@/lib/platform/api/perks'
import { api, route } from '../../shared/api'
import { CodesField, codesIn } from './codes-field'
import { SentForm } from './sent-form'

const addRoute = route<typeof addPerkCodes>('POST', '/v1/perks/{perk_id}/codes')

/** Adds codes to a perk that has some. */
export function AddCodes({ perkId, title }: { perkId: string; title: string }) {
  async function send(form: FormData): Promise<string> {
    const codes = codesIn((form.get('codes') as string | null) ?? '')
    const { added } = await api(addRoute, { params: { perk_id: perkId }, body: { codes } })
    const known = codes.length - added
    return `Codes added: ${added.toLocaleString('en')}.${known > 0 ? ` There already: ${known.toLocaleString('en')}.` : ''}`
  }
  return (
    <SentForm
      trigger={<Button size="sm">Add codes</Button>}
      title={`Add codes to “${title}”`}
      description="Codes that it has already are left out."
      confirm="Add them"
      send={send}
    >
      <CodesField />
    </SentForm>
  )
}
