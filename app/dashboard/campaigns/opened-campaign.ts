import type { getCampaign } from '@/lib/messaging/campaigns/get-campaign'
import type { Opened } from '@/lib/platform/api/form-action'
import { asJson } from '@/lib/platform/http/changed-fields'

/** The values of a campaign that its form shows. A sender that is the default isn't its own. */
export const openedCampaign = (
  { name, email_from, reminder_days, send_at }: Awaited<ReturnType<typeof getCampaign>>,
  defaultSender: string,
): Opened => asJson({ name, email_from: email_from === defaultSender ? null : email_from, reminder_days, send_at })
