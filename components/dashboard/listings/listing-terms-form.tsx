'use client'

import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { type CampaignChoice, CampaignSelect } from '../campaigns/campaign-select'
import { Flag } from '../forms/section'
import { MomentField } from '../forms/moment-field'

export type Terms = {
  max_quantity_per_tx: string
  max_per_user: string | null
  start_time: string | null
  end_time: string | null
  proof_of_work: boolean
  campaign_id: string | null
}

/** The terms of a listing that can change after its creation. */
export function ListingTermsForm({
  action,
  opened,
  terms,
  campaigns,
  several,
  cancel,
}: {
  action: FormAction
  opened: Opened
  terms: Terms
  campaigns: CampaignChoice[]
  several: boolean
  cancel: string
}) {
  const t = useTranslations('dashboard.listings')
  return (
    <ActionForm action={action} opened={opened} draft="terms" className="max-w-2xl gap-6">
      {several && (
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <FormField name="max_quantity_per_tx" label={t('form.perPurchase')} hint={t('form.perPurchaseHint')} required>
            <Input name="max_quantity_per_tx" inputMode="numeric" defaultValue={terms.max_quantity_per_tx} />
          </FormField>
          <FormField name="policy.max_per_user" label={t('policy.perBuyer')} hint={t('policy.perBuyerHint')} optional>
            <Input name="policy.max_per_user:null" inputMode="numeric" defaultValue={terms.max_per_user ?? ''} />
          </FormField>
        </div>
      )}
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <MomentField name="start_time" label={t('form.starts')} hint={t('form.startsHint')} at={terms.start_time} />
        <MomentField name="end_time" label={t('form.ends')} hint={t('form.endsHint')} at={terms.end_time} />
      </div>
      <CampaignSelect campaigns={campaigns} campaignId={terms.campaign_id} clears />
      <Flag
        name="proof_of_work"
        checked={terms.proof_of_work}
        label={t('form.botProtection')}
        hint={t('form.botProtectionHint')}
      />
      <FormError name="payment_providers" />
      <div className="flex flex-wrap gap-2">
        <Submit>{t('form.save')}</Submit>
        <LinkButton href={cancel} variant="quiet">
          {t('form.cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}
