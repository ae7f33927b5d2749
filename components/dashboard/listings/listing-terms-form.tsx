'use client'

import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/link-button'
import type { CampaignChoice } from '../campaigns/campaign-select'
import { ActionForm, FormError, Submit } from '../forms/action-form'
import { ListingTerms, type Terms } from './listing-terms'

type Props = {
  action: FormAction
  terms: Terms
  isFree: boolean
  several: boolean
  campaigns: CampaignChoice[]
  cancel: string
}

/** Changes the terms of a listing. */
export function ListingTermsForm({ action, terms, isFree, several, campaigns, cancel }: Props) {
  const t = useTranslations('dashboard.listings')
  return (
    <ActionForm action={action} opened={terms} draft="terms" className="max-w-2xl gap-6">
      <ListingTerms
        terms={terms}
        isFree={isFree}
        severalAtOnce={several}
        severalInAll={several}
        campaigns={campaigns}
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
