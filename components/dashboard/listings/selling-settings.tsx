import { useLocale, useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { Sentence } from '@/components/ui/sentence'
import { TextLink } from '@/components/ui/text-link'
import { Textarea } from '@/components/ui/textarea'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { ListingLinks, type Named, PayoutForm } from './payout-form'

type Warning = {
  network_id: number
  detail: string
  listing_id?: string | undefined
  is_burn_address?: true | undefined
}
type Payout = { payout_address: string | null; payout_warnings: readonly Warning[] }

/** The address that receives the proceeds of crypto sales, with warnings about it. */
export function PayoutCard({
  action,
  opened,
  resume,
  organization,
  selling,
  stopped,
  mayWrite,
}: {
  action: FormAction
  opened: Opened
  /** Puts on sale again what has stopped. */
  resume: FormAction
  organization: Payout
  /** The listings that sell by mint voucher. */
  selling: readonly Named[]
  /** The listings that paused when the address was removed. */
  stopped: readonly Named[]
  mayWrite: boolean
}) {
  const t = useTranslations('dashboard.listings')
  const { payout_address: address, payout_warnings: warnings } = organization
  return (
    <div id="payout" className="scroll-mt-24">
      <Card title={t('payout.title')} description={t('payout.lead')}>
        <div className="grid gap-4">
          {warnings.length > 0 && (
            <Alert tone="warning" title={address ? t('payout.lost') : t('payout.paused')}>
              <ul className="grid gap-1">
                {warnings.map((warning) => (
                  <li key={warning.listing_id ?? warning.network_id}>
                    <WarningText {...warning} />
                  </li>
                ))}
              </ul>
            </Alert>
          )}
          {address && stopped.length > 0 && (
            <Alert tone="warning" title={t('payout.stillPaused')}>
              <div className="grid gap-3">
                <ListingLinks listings={stopped} />
                {mayWrite && (
                  <ActionForm action={resume}>
                    <div>
                      <Submit variant="secondary">{t('payout.resume')}</Submit>
                    </div>
                  </ActionForm>
                )}
              </div>
            </Alert>
          )}
          {mayWrite ? (
            <PayoutForm action={action} opened={opened} address={address} selling={selling} />
          ) : (
            <p className="figures text-sm break-all">{address ?? t('payout.notSet')}</p>
          )}
        </div>
      </Card>
    </div>
  )
}

/** The text of a warning. In English it is its detail, which names the listing or network. */
function WarningText({ network_id, listing_id, is_burn_address, detail }: Warning) {
  const t = useTranslations('dashboard.listings.payout')
  const tCrypto = useTranslations('dashboard.payments.crypto')
  if (useLocale() === 'en') return <span>{detail}</span>
  if (is_burn_address) return <span>{tCrypto('burns')}</span>
  if (listing_id === undefined) return <span>{t('lostOn', { network: String(network_id) })}</span>
  return (
    <Sentence>
      {t.rich('stopped', {
        link: (words) => <TextLink href={`/dashboard/listings/${listing_id}`}>{words}</TextLink>,
      })}
    </Sentence>
  )
}

/** Which sites may show checkout pages in a frame. */
export function EmbeddingCard({
  action,
  opened,
  origins,
  mayWrite,
}: {
  action: FormAction
  opened: Opened
  origins: readonly string[]
  mayWrite: boolean
}) {
  const t = useTranslations('dashboard.listings')
  return (
    <div id="embedding" className="scroll-mt-24">
      <Card title={t('embedding.title')} description={t('embedding.lead')}>
        {mayWrite ? (
          <ActionForm action={action} opened={opened}>
            <FormField name="embed_origins" label={t('embedding.sites')} hint={t('embedding.sitesHint')} optional>
              <Textarea
                name="embed_origins:lines"
                rows={3}
                defaultValue={origins.join('\n')}
                spellCheck={false}
                autoCapitalize="none"
                className="figures"
                placeholder="https://shop.example.com"
              />
            </FormField>
            <div>
              <Submit>{t('embedding.save')}</Submit>
            </div>
          </ActionForm>
        ) : (
          <ul className="figures grid gap-1 text-sm break-all">
            {origins.length === 0 ? (
              <li>{t('embedding.none')}</li>
            ) : (
              origins.map((origin) => <li key={origin}>{origin}</li>)
            )}
          </ul>
        )}
      </Card>
    </div>
  )
}
