import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { PurchaseBadge, isUnderWay } from '@/components/dashboard/purchases/purchase-badge'
import { PurchaseBuyer } from '@/components/dashboard/purchases/purchase-buyer'
import { DELIVERIES, PURCHASE_STATES, PROVIDER_LABELS, choicesOf } from '@/components/dashboard/listings/selling-labels'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/purchases'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { isUuid } from '@/lib/core/id'
import { amountOf } from '@/lib/core/money'
import { readQuery } from '@/lib/platform/http/page-query'
import { listPurchases } from '@/lib/selling/purchases/list-purchases'

export const metadata: Metadata = { title: 'Purchases' }

const path = '/dashboard/purchases'

/** Interprets the search text: an email, an address or a purchase's id. */
function soughtIn(buyer: string): { email?: string; eth_address?: string; unknown?: true } {
  if (buyer === '') return {}
  const field = buyer.includes('@') ? 'email' : 'eth_address'
  const read = api.listPurchaseIntents.query.safeParse({ [field]: buyer })
  return read.success ? { [field]: buyer } : { unknown: true }
}

export default async function PurchasesPage({ searchParams }: PageProps<'/dashboard/purchases'>) {
  const ctx = await dashboardContext()
  const parameters = await searchParams
  const buyer = typeof parameters.buyer === 'string' ? parameters.buyer.trim() : ''
  if (isUuid(buyer)) redirect(`${path}/${buyer.toLowerCase()}`)
  const { unknown, ...sought } = soughtIn(buyer)
  const query = readQuery(api.listPurchaseIntents.query, { ...parameters, ...sought })
  const purchases = await listPurchases(ctx, { ...query, limit: unknown ? 1 : Math.min(query.limit, 25) })
  const shown = unknown ? [] : purchases.results
  const { status, payment_provider, fulfillment_status, listing_id, item_id, collection_id } = query
  const narrowed = { listing_id, item_id, collection_id }
  return (
    <ListPage
      path={path}
      title="Purchases"
      description="Who bought what, and how far payment and delivery are. What can’t be delivered is refunded."
      noun={['purchase', 'purchases']}
      page={unknown ? { results: [], cursor: null, total_results: 0 } : purchases}
      cursor={query.cursor}
      refreshSeconds={shown.some(isUnderWay) && 5}
      actions={
        purchases.total_results > 0 && (
          <DownloadLink
            href={hrefOf('/v1/exports/purchases.csv', {
              ...narrowed,
              ...sought,
              status,
              payment_provider,
              fulfillment_status,
            })}
          >
            Export
          </DownloadLink>
        )
      }
      filters={{
        buyer: { label: 'Buyer', value: buyer },
        status: { label: 'State', value: status, shown: wordsFor(choicesOf(PURCHASE_STATES), status) },
        fulfillment_status: {
          label: 'Delivery',
          value: fulfillment_status,
          shown: wordsFor(choicesOf(DELIVERIES), fulfillment_status),
        },
        payment_provider: {
          label: 'How',
          value: payment_provider,
          shown: wordsFor(choicesOf(PROVIDER_LABELS), payment_provider),
        },
        listing_id: { label: 'Listing', value: listing_id },
        item_id: { label: 'Item', value: item_id },
        collection_id: { label: 'Collection', value: collection_id },
      }}
      fields={
        <>
          <Field label="Buyer or id">
            <Input
              name="buyer"
              type="search"
              defaultValue={buyer}
              placeholder="ada@example.com"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Choice label="State" name="status" value={status} options={choicesOf(PURCHASE_STATES)} />
          <Choice
            label="Delivery"
            name="fulfillment_status"
            value={fulfillment_status}
            options={choicesOf(DELIVERIES)}
          />
          <Choice label="How" name="payment_provider" value={payment_provider} options={choicesOf(PROVIDER_LABELS)} />
          {Object.entries(narrowed).map(
            ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
          )}
        </>
      }
      none={{
        children: unknown && 'Search for a whole email address, a whole address (0x…), or the id of a purchase.',
      }}
      empty={{
        title: 'No purchases yet',
        action: <LinkButton href="/dashboard/listings">Go to listings</LinkButton>,
        children: 'Create a listing and share its checkout page. Purchases appear here as soon as they start.',
      }}
    >
      <Card flush>
        <Table caption="Purchases">
          <Thead>
            <Th>Buyer</Th>
            <Th>What</Th>
            <Th>State</Th>
            <Th>Price</Th>
            <Th>How</Th>
            <Th>Begun</Th>
          </Thead>
          <Tbody>
            {shown.map((purchase) => (
              <Tr key={purchase.id}>
                <Td rowHeader>
                  <TextLink href={`${path}/${purchase.id}`} className="break-all">
                    <PurchaseBuyer purchase={purchase} className="underline decoration-glass/45 underline-offset-3" />
                  </TextLink>
                </Td>
                <Td label="What">
                  <span className="flex items-center gap-3">
                    {purchase.units[0] && (
                      <RowPicture item={pictureOf(purchase.units[0].title, purchase.units[0].image)} />
                    )}
                    <span className="wrap-anywhere">
                      {titleOfUnits(purchase.units)}
                      {purchase.quantity > 1n && ` × ${purchase.quantity}`}
                    </span>
                  </span>
                </Td>
                <Td label="State">
                  <span className="inline-flex flex-wrap gap-1.5">
                    <PurchaseBadge purchase={purchase} />
                    {purchase.mode === 'TEST' && <Badge>Test</Badge>}
                  </span>
                </Td>
                <Td label="Price">
                  {purchase.price === '0'
                    ? 'Free'
                    : amountOf(purchase.price, purchase.currency, purchase.currency_decimals)}
                </Td>
                <Td label="How">{PROVIDER_LABELS[purchase.provider]}</Td>
                <Td label="Begun">
                  <RelativeTime at={purchase.created_at} />
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}

function titleOfUnits(units: readonly { title: string }[]): string {
  const [first] = units
  if (!first) return '–'
  return units.length > 1 ? `${first.title} and ${units.length - 1} more` : first.title
}
