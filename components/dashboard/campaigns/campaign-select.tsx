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
  if (campaigns.length === 0) return null
  return (
    <FormField name="campaign_id" label="Campaign" hint="Uses the campaign’s sender, templates and reminder." optional>
      <Select name={clears ? 'campaign_id:null' : 'campaign_id'} defaultValue={campaignId ?? ''}>
        <option value="">None</option>
        {campaigns.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </FormField>
  )
}
