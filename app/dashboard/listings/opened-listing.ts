import type { getListing } from '@/lib/offers/listings/get-listing'
import type { Opened } from '@/lib/platform/api/form-action'
import { asJson } from '@/lib/platform/http/changed-fields'

/** What the form of a listing's terms shows of it. */
export const openedListing = ({
  max_quantity_per_tx,
  max_per_user,
  start_time,
  end_time,
  proof_of_work,
  campaign_id,
}: Awaited<ReturnType<typeof getListing>>): Opened =>
  asJson({
    max_quantity_per_tx,
    policy: { max_per_user },
    start_time,
    end_time,
    proof_of_work,
    campaign_id,
  }) as Opened
