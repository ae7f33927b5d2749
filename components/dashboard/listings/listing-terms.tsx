'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { Input as Given, Output } from '@/lib/platform/api/endpoint'
import type { AsJson } from '@/lib/platform/api/form-action'
import type { updateListing } from '@/lib/platform/api/listings'
import { type CampaignChoice, CampaignSelect } from '../campaigns/campaign-select'
import { FormField } from '../forms/action-form'
import { MomentField } from '../forms/moment-field'
import { Flag, Section } from '../forms/section'

/** The fields of a listing that can change. */
export type Terms = AsJson<Pick<Output<typeof updateListing>, keyof Given<typeof updateListing>['body']>>

type Props = {
  /** None of a listing that is being made. */
  terms?: Terms
  isFree: boolean
  /** Whether a purchase, and all purchases of a buyer, can have several units. */
  severalAtOnce: boolean
  severalInAll: boolean
  campaigns: CampaignChoice[]
  onMoment?: (which: 'start' | 'end', iso: string) => void
  children?: ReactNode
}

/** The terms of a listing that can change, in the form that makes it and in the one that changes it. */
export function ListingTerms({ terms, isFree, severalAtOnce, severalInAll, campaigns, onMoment, children }: Props) {
  const t = useTranslations('dashboard.listings')
  return (
    <>
      {(severalAtOnce || severalInAll) && (
        <div className="grid items-start gap-6 sm:grid-cols-2">
          {severalAtOnce && (
            <FormField
              name="max_quantity_per_tx"
              label={t('form.perPurchase')}
              hint={t('form.perPurchaseHint')}
              required={terms !== undefined}
            >
              <Input name="max_quantity_per_tx" inputMode="numeric" defaultValue={terms?.max_quantity_per_tx ?? '1'} />
            </FormField>
          )}
          {severalInAll && (
            <FormField name="policy.max_per_user" label={t('policy.perBuyer')} hint={t('policy.perBuyerHint')} optional>
              <Input
                name="policy.max_per_user:null"
                inputMode="numeric"
                defaultValue={terms?.policy.max_per_user ?? ''}
              />
            </FormField>
          )}
        </div>
      )}
      <Section title={t('form.when')} description={t('form.whenText')}>
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <MomentField
            name="start_time"
            label={t('form.starts')}
            hint={t('form.startsHint')}
            at={terms?.start_time ?? null}
            onChange={(iso) => onMoment?.('start', iso)}
          />
          <MomentField
            name="end_time"
            label={t('form.ends')}
            hint={t('form.endsHint')}
            at={terms?.end_time ?? null}
            onChange={(iso) => onMoment?.('end', iso)}
          />
        </div>
      </Section>
      <Section title={t('form.advanced')}>
        <HoldFor isFree={isFree} policy={terms?.policy} />
        <CampaignSelect campaigns={campaigns} campaignId={terms?.campaign_id ?? null} clears />
        <div className="contents">{children}</div>
        <Flag
          name="proof_of_work"
          checked={terms?.proof_of_work ?? false}
          label={t('form.botProtection')}
          hint={t('form.botProtectionText')}
        />
      </Section>
    </>
  )
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Seconds to choose from. The first holds where none are set. */
const CLAIM_SECONDS = [30 * DAY, DAY, 7 * DAY, 90 * DAY]
const PAYMENT_SECONDS = [30 * MINUTE, 5 * MINUTE, 10 * MINUTE, HOUR, DAY]
const UNITS = [
  ['days', DAY],
  ['hours', HOUR],
  ['minutes', MINUTE],
  ['seconds', 1],
] as const

/** How long units are held for a buyer who hasn't paid, or a recipient who hasn't redeemed. */
function HoldFor({ isFree, policy }: { isFree: boolean; policy: Terms['policy'] | undefined }) {
  const t = useTranslations('dashboard.listings.holdFor')
  const name = isFree ? 'policy.email_claim_duration' : 'policy.payment_session_duration.timeout_seconds'
  const set = isFree ? policy?.email_claim_duration : policy?.payment_session_duration.timeout_seconds
  const [usual = 0, ...others] = isFree ? CLAIM_SECONDS : PAYMENT_SECONDS
  const wordsOf = (seconds: number) => {
    const [unit, size] = UNITS.find(([, size]) => seconds % size === 0)!
    return t(unit, { count: seconds / size })
  }
  return (
    <FormField
      name={name}
      label={t(isFree ? 'email' : 'payment')}
      hint={isFree ? undefined : t('paymentHint')}
      className="max-w-xs"
    >
      <Select key={name} name={`${name}:number`} defaultValue={set ?? ''}>
        <option value="">{wordsOf(usual)}</option>
        {[...new Set(set ? [...others, set] : others)].map((seconds) => (
          <option key={seconds} value={seconds}>
            {wordsOf(seconds)}
          </option>
        ))}
      </Select>
    </FormField>
  )
}
