import { useTranslations } from 'next-intl'
import { Select } from '@/components/ui/select'
import { FormField } from '../forms/action-form'

export type CampaignChoice = { id: string; name: string }

/** Chooses the campaign whose sender, templates and reminder the mails use. With `clears`, choosing none removes it. */
export function CampaignSelect({
  campaigns,
  campaignId = '',
  clears = false,
}: {
  campaigns: CampaignChoice[]
  campaignId?: string | null
  clears?: boolean
}) {
  const t = useTranslations('dashboard.common.campaign')
  if (campaigns.length === 0 && !campaignId) return null
  return (
    <FormField name="campaign_id" label={t('label')} hint={t('hint')} optional>
      <Select name={clears ? 'campaign_id:null' : 'campaign_id'} defaultValue={campaignId ?? ''}>
        <option value="">{t('none')}</option>
        {campaignId && campaigns.every(({ id }) => id !== campaignId) && (
          <option value={campaignId}>{campaignId}</option>
        )}
        {campaigns.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </FormField>
  )
}
