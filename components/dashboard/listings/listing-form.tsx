'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { Checkbox, Choices, Radio } from '@/components/ui/checkbox'
import { Input, Select } from '@/components/ui/input'
import { ItemPicture } from '@/components/ui/picture'
import type { PictureItem } from '@/components/ui/picture'
import { Time } from '@/components/ui/time'
import { amountOf, CURRENCIES } from '@/lib/core/money'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { AllowListField } from './allow-list-field'
import { type CampaignChoice, CampaignSelect } from '../campaigns/campaign-select'
import { Flag, Section } from '../collections/collection-form'
import { Findings } from './findings'
import type { Finding } from './findings'
import { MomentField } from '../forms/moment-field'
import { minorOf, priceProblem } from './price'
import { POLICIES } from './selling-words'

export type Subject = {
  kind: 'item' | 'collection'
  id: string
  title: string
  collectionName: string
  description: string | null
  picture: PictureItem
  tokenType: 'ERC721' | 'ERC1155'
  /** Units that can be listed, those promised to others among them if it is a collection; null: as many as you like. */
  left: number | null
}
export type TokenChoice = { symbol: string; name: string; decimals: number }
export type Kind = 'card' | 'crypto' | 'free'

type Props = {
  action: FormAction
  subject: Subject
  tokens: TokenChoice[]
  snapshots: { id: string; name: string }[]
  campaigns: CampaignChoice[]
  /** What would go wrong, for each way to sell. */
  findings: Record<Kind, Finding[]>
  /** The first that has nothing in its way. */
  first: Kind
}

const CARD_CURRENCIES = Object.entries(CURRENCIES).map(([code, { decimals }]) => ({
  symbol: code,
  name: code,
  decimals,
}))

/** What is offered, to whom, for how much and when; beside it what buyers will see. */
export function ListingForm({ action, subject, tokens, snapshots, campaigns, findings, first }: Props) {
  const [kind, setKind] = useState<Kind>(first)
  const [policy, setPolicy] = useState<keyof typeof POLICIES>('FCFS')
  const [seen, setSeen] = useState({
    price: '',
    currency: '',
    quantity: String(subject.left ?? 10),
    start: '',
    end: '',
  })
  const unique = subject.kind === 'item' && subject.tokenType === 'ERC721'
  const severalAtOnce = !unique && !(kind === 'crypto' && subject.tokenType === 'ERC721')
  const currencies = kind === 'crypto' ? tokens : CARD_CURRENCIES
  const currency = currencies.find(({ symbol }) => symbol === seen.currency) ?? currencies[0]!

  function look(form: HTMLFormElement) {
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '')
    setSeen({
      price: text('price'),
      currency: text('currency'),
      quantity: text('quantity_listed'),
      start: text('start_time:null'),
      end: text('end_time:null'),
    })
  }

  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <ActionForm action={action} onInput={look} className="gap-6">
        <input type="hidden" name={subject.kind === 'item' ? 'item_id' : 'collection_id'} value={subject.id} />
        <Choices legend="How do people get it?">
          <Radio
            name="kind"
            value="card"
            checked={kind === 'card'}
            onChange={() => setKind('card')}
            label="They pay by card"
            hint="In dollars, euros, pounds or yen. The money goes to your own account at the card provider."
          />
          <Radio
            name="kind"
            value="crypto"
            checked={kind === 'crypto'}
            onChange={() => setKind('crypto')}
            label="They pay with a wallet"
            hint="In the network’s coin or a token. The money goes straight to your payout address, in the same transaction that mints the item."
          />
          <Radio
            name="kind"
            value="free"
            checked={kind === 'free'}
            onChange={() => setKind('free')}
            label="It is free"
            hint="We pay for the transaction."
          />
        </Choices>
        {kind === 'card' && <input type="hidden" name="payment_providers:list" value="CARD_PROVIDER" />}
        {kind === 'crypto' && <input type="hidden" name="payment_providers:list" value="MINT_VOUCHER" />}
        {kind === 'free' && (
          <Choices legend="How does it reach them?">
            <input type="hidden" name="payment_providers:list" value="" />
            <Checkbox
              name="payment_providers:list"
              value="EMAIL_CLAIM"
              defaultChecked
              label="By email"
              hint="They need no wallet: a link and a PIN are enough."
            />
            <Checkbox
              name="payment_providers:list"
              value="ORGANIZATION"
              label="To an address"
              hint="Of a wallet they have already."
            />
          </Choices>
        )}
        <FormError name="payment_providers" />
        <div aria-live="polite" className={findings[kind].length === 0 ? 'sr-only' : undefined}>
          <Findings findings={findings[kind]} />
        </div>
        {kind === 'free' ? (
          <>
            <input type="hidden" name="price" value="0" />
            <input type="hidden" name="currency" value={tokens[0]?.symbol ?? 'USD'} />
            <FormError name="price" />
          </>
        ) : (
          <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <FormField
              name="price"
              label="Price of one"
              hint={priceProblem(currency.decimals, currency.symbol)}
              required
            >
              <Input
                name="price"
                inputMode="decimal"
                autoComplete="off"
                placeholder={currency.decimals === 0 ? '1200' : '12.50'}
              />
            </FormField>
            <FormField name="currency" label="Currency" className="content-end" required>
              <Select
                key={kind}
                name="currency"
                defaultValue={currencies[0]?.symbol}
                onChange={(event) => setSeen({ ...seen, currency: event.target.value })}
              >
                {currencies.map(({ symbol, name }) => (
                  <option key={symbol} value={symbol}>
                    {symbol === name ? symbol : `${symbol} (${name})`}
                  </option>
                ))}
              </Select>
            </FormField>
          </div>
        )}
        {unique ? (
          <input type="hidden" name="quantity_listed" value="1" />
        ) : (
          <div className="grid items-start gap-6 sm:grid-cols-2">
            <FormField
              name="quantity_listed"
              label="How many in all"
              hint={`${leftHint(subject)} They are set aside for this listing.`}
              required
            >
              <Input name="quantity_listed" inputMode="numeric" defaultValue={subject.left ?? 10} />
            </FormField>
            {severalAtOnce && (
              <FormField name="max_quantity_per_tx" label="In one purchase" hint="The most it may have.">
                <Input name="max_quantity_per_tx" inputMode="numeric" defaultValue="1" />
              </FormField>
            )}
          </div>
        )}
        <FormError name="item_id" />
        <FormError name="collection_id" />
        {unique && <FormError name="quantity_listed" />}
        {!severalAtOnce && <FormError name="max_quantity_per_tx" />}
        <Section title="Who may buy">
          <Choices legend="Policy">
            <Radio
              name="policy.type"
              value="FCFS"
              checked={policy === 'FCFS'}
              onChange={() => setPolicy('FCFS')}
              label={POLICIES.FCFS}
              hint="First come, first served."
            />
            <Radio
              name="policy.type"
              value="ALLOW_LIST"
              checked={policy === 'ALLOW_LIST'}
              onChange={() => setPolicy('ALLOW_LIST')}
              label={POLICIES.ALLOW_LIST}
              hint="Addresses and mailboxes you name. It can grow later."
            />
            <Radio
              name="policy.type"
              value="SNAPSHOT"
              checked={policy === 'SNAPSHOT'}
              onChange={() => setPolicy('SNAPSHOT')}
              disabled={snapshots.length === 0}
              label={POLICIES.SNAPSHOT}
              hint={
                snapshots.length === 0
                  ? 'Take a snapshot of a collection first.'
                  : 'Whoever held something of a collection at one moment.'
              }
            />
          </Choices>
          {policy === 'ALLOW_LIST' && (
            <AllowListField addresses="policy.eth_addresses" emails="policy.email_addresses" optional />
          )}
          {policy === 'SNAPSHOT' && (
            <FormField name="policy.snapshot_id" label="Snapshot" required>
              <Select name="policy.snapshot_id">
                {snapshots.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </FormField>
          )}
          <FormError name="policy" />
          {!unique && (
            <FormField
              name="policy.max_per_user"
              label="At most for one buyer"
              hint="Over all their purchases. Left empty: no limit."
              className="max-w-xs"
              optional
            >
              <Input name="policy.max_per_user" inputMode="numeric" />
            </FormField>
          )}
        </Section>
        <Section title="When" description="It starts, ends and completes by itself.">
          <div className="grid items-start gap-6 sm:grid-cols-2">
            <MomentField
              name="start_time"
              label="Starts"
              hint="Left empty: at once."
              onChange={(start) => setSeen((before) => ({ ...before, start }))}
            />
            <MomentField
              name="end_time"
              label="Ends"
              hint="Left empty: when all are sold."
              onChange={(end) => setSeen((before) => ({ ...before, end }))}
            />
          </div>
        </Section>
        <Section title="Finer points">
          <HoldFor kind={kind} />
          <CampaignSelect campaigns={campaigns} />
          {subject.kind === 'collection' && (
            <Choices legend="Which one does a buyer get?">
              <Radio
                name="policy.item_assignment_strategy"
                value="AUTOMATIC"
                defaultChecked
                label="The next"
                hint="The lowest token id that is left."
              />
              <Radio
                name="policy.item_assignment_strategy"
                value="RANDOM"
                label="A surprise"
                hint="Any that is left."
              />
            </Choices>
          )}
          <Flag
            name="proof_of_work"
            checked={false}
            label="Slow robots down"
            hint="Every buyer’s browser does some seconds of arithmetic first. By itself that is asked for free items by email, and when much is reserved and little paid."
          />
        </Section>
        <div className="flex flex-wrap gap-2">
          <Submit>Put it on sale</Submit>
          <Submit variant="secondary" name="status" value="DRAFT">
            Keep it as a draft
          </Submit>
          <LinkButton href="/dashboard/listings" variant="quiet">
            Cancel
          </LinkButton>
        </div>
      </ActionForm>
      <aside aria-label="Preview" className="grid gap-3 lg:sticky lg:top-8">
        <p className="label-caps text-muted">What buyers see</p>
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift">
          <ItemPicture item={subject.picture} size="thumb" className="w-full" />
          <figcaption className="grid gap-2 p-5">
            {subject.kind === 'collection' && <span className="label-caps text-muted">From the collection</span>}
            <span className="text-lg font-medium wrap-anywhere">{subject.title}</span>
            <span className="text-2xl font-medium wrap-anywhere">
              {kind === 'free' ? 'Free' : priceShown(seen.price, currency)}
            </span>
            <Preview quantity={unique ? '1' : seen.quantity} start={seen.start} end={seen.end} />
            <span
              aria-hidden="true"
              className="mt-1 rounded-md bg-ink px-4 py-2.5 text-center text-sm font-medium text-wall"
            >
              {BUTTONS[kind]}
            </span>
          </figcaption>
        </figure>
      </aside>
    </div>
  )
}

function leftHint({ kind, left }: Subject): string {
  if (left === null) return 'As many as you like.'
  const many = left.toLocaleString('en')
  return kind === 'item'
    ? `${many} can be listed.`
    : `${many} are locked and not minted; those promised to others can’t be listed.`
}

const BUTTONS = { card: 'Pay by card', crypto: 'Pay with a wallet', free: 'Get it' } satisfies Record<Kind, string>

function priceShown(written: string, { symbol, decimals }: TokenChoice): string {
  const minor = minorOf(written, decimals)
  return minor === null ? '–' : amountOf(minor, symbol, decimals)
}

function Preview({ quantity, start, end }: { quantity: string; start: string; end: string }) {
  const count = /^\d+$/.test(quantity) ? Number(quantity).toLocaleString('en') : null
  return (
    <span className="grid gap-1 text-sm text-muted">
      {count && <span>{count} left</span>}
      {start && (
        <span>
          From <Time at={start} />
        </span>
      )}
      {end && (
        <span>
          Until <Time at={end} />
        </span>
      )}
    </span>
  )
}

/** How long units are kept for a buyer who hasn't paid, or a recipient who hasn't come. */
function HoldFor({ kind }: { kind: Kind }): ReactNode {
  if (kind === 'free')
    return (
      <FormField name="policy.email_claim_duration" label="A link by email works for" className="max-w-xs">
        <Select name="policy.email_claim_duration:number" defaultValue="">
          <option value="">30 days</option>
          <option value="86400">A day</option>
          <option value="604800">7 days</option>
          <option value="7776000">90 days</option>
        </Select>
      </FormField>
    )
  return (
    <FormField
      name="policy.payment_session_duration.timeout_seconds"
      label="An unpaid purchase is kept for"
      hint="Then its units go back on sale."
      className="max-w-xs"
    >
      <Select name="policy.payment_session_duration.timeout_seconds:number" defaultValue="">
        <option value="">30 minutes</option>
        <option value="300">5 minutes</option>
        <option value="600">10 minutes</option>
        <option value="3600">An hour</option>
        <option value="86400">A day</option>
      </Select>
    </FormField>
  )
}
