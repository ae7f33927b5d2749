import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/link-button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { type CampaignChoice, CampaignSelect } from '../campaigns/campaign-select'
import { PayerChoice } from './payer-choice'

type Props = {
  action: FormAction
  itemId: string
  editions: boolean
  campaigns: CampaignChoice[]
  campaignId: string | null
  cancel: string
}

/** Who gets the item, and who pays for the transaction. */
export function ClaimForm({ action, itemId, editions, campaigns, campaignId, cancel }: Props) {
  const t = useTranslations('dashboard.claims.form')
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <input type="hidden" name="item_id" value={itemId} />
      <FormField name="email" label={t('email')} hint={t('emailHint')} required>
        <Input name="email" type="email" inputMode="email" autoComplete="off" placeholder="ada@example.com" />
      </FormField>
      <div className="grid gap-6 sm:grid-cols-2">
        {editions && (
          <FormField name="quantity" label={t('units')}>
            <Input name="quantity" inputMode="numeric" defaultValue="1" />
          </FormField>
        )}
        <FormField name="expiration" label={t('worksFor')}>
          <Select name="days:number" defaultValue="30">
            {[7, 30, 90].map((days) => (
              <option key={days} value={days}>
                {t('days', { days })}
              </option>
            ))}
            <option value="365">{t('year')}</option>
          </Select>
        </FormField>
      </div>
      <PayerChoice />
      <CampaignSelect campaigns={campaigns} campaignId={campaignId} />
      <FormError name="item_id" />
      <div className="flex flex-wrap gap-2">
        <Submit size="lg">{t('sendIt')}</Submit>
        <LinkButton href={cancel} variant="quiet" size="lg">
          {t('cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}
