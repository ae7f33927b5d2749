import type { FormAction } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { ActionForm, FormField, Submit } from '../forms/action-form'

type Warning = { network_id: number; detail: string; listing_id?: string | undefined }
type Payout = { payout_address: string | null; payout_warnings: readonly Warning[] }

/** The address that receives the proceeds of crypto sales, with warnings about it. */
export function PayoutCard({
  action,
  organization,
  mayWrite,
}: {
  action: FormAction
  organization: Payout
  mayWrite: boolean
}) {
  const { payout_address: address, payout_warnings: warnings } = organization
  return (
    <div id="payout" className="scroll-mt-24">
      <Card
        title="Payout address"
        description="What buyers pay with their wallets goes straight to it, on every network. It can change at any time; vouchers that are out keep the old one."
      >
        <div className="grid gap-4">
          {warnings.length > 0 && (
            <Alert tone="warning" title={address ? 'Money would be lost' : 'Listings are paused'}>
              <ul className="grid gap-1">
                {warnings.map(({ network_id, listing_id, detail }) => (
                  <li key={listing_id ?? network_id}>{detail}</li>
                ))}
              </ul>
            </Alert>
          )}
          {mayWrite ? (
            <ActionForm action={action}>
              <FormField
                name="payout_address"
                label="Address"
                hint="An address that you control on every network you sell on. If it is a contract, such as a shared wallet, we check each network."
              >
                <Input
                  name="payout_address:null"
                  defaultValue={address ?? ''}
                  placeholder="0x…"
                  spellCheck={false}
                  autoComplete="off"
                  autoCapitalize="none"
                  className="figures"
                />
              </FormField>
              <div>
                <Submit>Save the address</Submit>
              </div>
            </ActionForm>
          ) : (
            <p className="figures text-sm break-all">{address ?? 'Not set'}</p>
          )}
        </div>
      </Card>
    </div>
  )
}

/** Which sites may show checkout pages in a frame. */
export function EmbeddingCard({
  action,
  origins,
  mayWrite,
}: {
  action: FormAction
  origins: readonly string[]
  mayWrite: boolean
}) {
  return (
    <div id="embedding" className="scroll-mt-24">
      <Card
        title="Checkout in your own pages"
        description="Sites that may show your checkout pages in a frame. Every other site is refused by the browser."
      >
        {mayWrite ? (
          <ActionForm action={action}>
            <FormField
              name="embed_origins"
              label="Sites"
              hint="One per line, such as https://shop.example.com."
              optional
            >
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
              <Submit>Save the sites</Submit>
            </div>
          </ActionForm>
        ) : (
          <ul className="figures grid gap-1 text-sm break-all">
            {origins.length === 0 ? <li>None</li> : origins.map((origin) => <li key={origin}>{origin}</li>)}
          </ul>
        )}
      </Card>
    </div>
  )
}
