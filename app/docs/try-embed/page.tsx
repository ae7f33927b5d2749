import type { Metadata } from 'next'
import { docsNavigation } from '@/app/docs/navigation'
import { DocsFrame } from '@/components/docs/docs-frame'
import { TryEmbed } from '@/components/docs/try-embed'
import { TextLink } from '@/components/ui/text-link'
import { env } from '@/lib/core/env'

export const metadata: Metadata = {
  title: 'Try the elements',
  description: 'The checkout and a claim on a page of another site, with listings and claims of your own.',
}

export default function TryEmbedPage() {
  const { navigation } = docsNavigation()
  return (
    <DocsFrame navigation={navigation}>
      <div className="grid max-w-2xl gap-5">
        <h1 className="text-3xl font-medium">Try the elements</h1>
        <p>
          What <TextLink href="/docs/embed">Embed the checkout</TextLink> describes, on this page: the checkout of a
          listing in a frame, and a link that opens a claim in a window of its own. Both identifiers are in the
          dashboard, or in the answers of the API.
        </p>
        {!env.VITRINE_SANDBOX && (
          <p className="text-sm text-muted">
            {`The checkout appears for listings of organizations that allow ${env.ORIGIN} in ` +
              '“Checkout in your own pages”.'}
          </p>
        )}
        <TryEmbed origin={env.CLAIM_ORIGIN} />
        <noscript>
          <p className="text-muted">The elements need JavaScript. Turn it on and reload this page.</p>
        </noscript>
      </div>
    </DocsFrame>
  )
}
