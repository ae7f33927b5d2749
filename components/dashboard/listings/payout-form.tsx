'use client'

import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { AddressInput } from '@/components/ui/address-input'
import { TextLink } from '@/components/ui/text-link'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { useQuestion } from '../forms/use-question'

export type Named = { id: string; title: string }

/**
 * The field of the payout address. Before it is saved empty, a person reads what pauses. `selling`: what is sold by
 * mint voucher.
 */
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
  const { ask: askFirst, dialogOf } = useQuestion()

  async function ask(data: FormData): Promise<boolean> {
    if (address === null || String(data.get('payout_address:null')).trim() !== '') return true
    const confirmed = await askFirst()
    if (confirmed) data.set('confirmed', 'true')
    return confirmed
  }

  return (
    <>
      <ActionForm action={action} opened={opened} ask={ask} draft="payout">
        <FormField name="payout_address" label={t('address')} hint={t('addressHint')}>
          <AddressInput name="payout_address:null" defaultValue={address ?? ''} />
        </FormField>
        <div>
          <Submit>{t('save')}</Submit>
        </div>
      </ActionForm>
      {dialogOf({
        title: t('remove'),
        description: t('removeText', { count: selling.length }),
        confirm: t('removeConfirm'),
        children: selling.length > 0 && <ListingLinks listings={selling} />,
      })}
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
