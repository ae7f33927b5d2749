import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { Skeleton } from '@/components/ui/skeleton'
import { TextLink } from '@/components/ui/text-link'
import type { Attention } from '@/lib/core/attention'

/** The page where each kind is resolved, and the label of the link to it. */
const LINKS = {
  alarm: null,
  purchase: { label: 'Decide', hrefOf: (id) => id && `/dashboard/purchases/${id}` },
  payment_integration: { label: 'See what it asks for', hrefOf: () => '/dashboard/payments' },
  payout: { label: 'Change the payout address', hrefOf: () => '/dashboard/settings#payout' },
  deployment: { label: 'See the collection', hrefOf: (id) => id && `/dashboard/collections/${id}` },
  transaction: { label: 'See the transaction', hrefOf: (id) => id && `/dashboard/transactions/${id}` },
  claim: { label: 'Send it again', hrefOf: (id) => id && `/dashboard/claims/${id}` },
  mail: { label: 'See the claim', hrefOf: (id) => id && `/dashboard/claims/${id}` },
  suppressions: { label: 'See the addresses', hrefOf: () => '/dashboard/settings/email' },
  email_integration: { label: 'Correct the settings', hrefOf: () => '/dashboard/settings/email' },
  webhook: { label: 'See its deliveries', hrefOf: (id) => id && `/dashboard/webhooks/${id}` },
  import: { label: 'Look at it and start', hrefOf: (id) => id && `/dashboard/imports/${id}` },
  listing: { label: 'See the listing', hrefOf: (id) => id && `/dashboard/listings/${id}` },
} satisfies Record<Attention['kind'], { label: string; hrefOf: (id: string | null) => string | null } | null>

/** What needs a person, each entry with a link to the page where it is resolved. */
export function AttentionCard({ entries }: { entries: readonly Attention[] }) {
  if (entries.length === 0)
    return (
      <p className="flex items-center gap-2.5 text-sm text-muted">
        <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good" />
        Nothing needs your attention. Everything is on its way or has arrived.
      </p>
    )
  return (
    <Card flush title="What needs attention">
      <ul className="divide-y border-t">
        {entries.map(({ kind, urgent, subject, detail }) => {
          const way = LINKS[kind]
          const href = way?.hrefOf(subject)
          const Icon = urgent ? CircleAlert : TriangleAlert
          return (
            <li
              key={`${kind} ${subject} ${detail}`}
              className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-3 px-5 py-3 text-sm sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:px-6"
            >
              <Icon aria-hidden="true" className={classes('mt-0.5 size-4', urgent ? 'text-bad' : 'text-warn')} />
              <span className="wrap-anywhere">
                {urgent && <span className="sr-only">Urgent: </span>}
                {detail}
              </span>
              {way && href && (
                <TextLink href={href} className="w-fit max-sm:col-start-2">
                  {way.label}
                </TextLink>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** Shown while the checks, which call networks, are running. */
export function AttentionSkeleton() {
  return (
    <div role="status" className="flex items-center gap-2.5">
      <Skeleton className="size-4" />
      <Skeleton className="h-5 w-72 max-w-full" />
      <span className="sr-only">Looking for what needs attention…</span>
    </div>
  )
}
