'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Input } from '@/components/ui/input'
import { TextLink } from '@/components/ui/text-link'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { ConfirmForm } from '../forms/confirm-form'

export type Named = { id: string; title: string }

/** The field of the payout address. Before it is saved empty, a person reads what pauses. `selling`: what is sold by mint voucher. */
export function PayoutForm({
  action,
  opened,
  address,
  selling,
}: {
  action: FormAction
  opened: Opened
  address: string | null
  selling: readonly Named[]
}) {
  const t = useTranslations('dashboard.settings.payout')
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | null>(null)

  async function ask(data: FormData): Promise<boolean> {
    if (address === null || String(data.get('payout_address:null')).trim() !== '') return true
    const confirmed = await new Promise<boolean>((resolve) => setAnswer(() => resolve))
    setAnswer(null)
    if (confirmed) data.set('confirmed', 'true')
    return confirmed
  }

  return (
    <>
      <ActionForm action={action} opened={opened} ask={ask}>
        <FormField name="payout_address" label={t('address')} hint={t('addressHint')}>
          <Input
            name="payout_address:null"
            defaultValue={address ?? ''}
            placeholder="0x…"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="none"
            className="figures"
          />
        </FormField>
        <div>
          <Submit>{t('save')}</Submit>
        </div>
      </ActionForm>
      <ConfirmForm
        title={t('remove')}
        description={t('removeText', { count: selling.length })}
        confirm={t('removeConfirm')}
        open={answer !== null}
        onOpenChange={(open) => !open && answer?.(false)}
        busy={false}
        problem={null}
        onConfirm={async () => answer?.(true)}
      >
        {selling.length > 0 && <ListingLinks listings={selling} />}
      </ConfirmForm>
    </>
  )
}

/** Names listings, each with a link to its page. */
export function ListingLinks({ listings }: { listings: readonly Named[] }) {
  return (
    <ul className="grid max-h-60 gap-1 overflow-y-auto text-sm">
      {listings.map(({ id, title }) => (
        <li key={id} className="wrap-anywhere">
          <TextLink href={`/dashboard/listings/${id}`}>{title}</TextLink>
        </li>
      ))}
    </ul>
  )
}
