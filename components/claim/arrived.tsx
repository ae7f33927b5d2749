'use client'

import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Wallet } from 'lucide-react'
import { Button, LinkButton } from '@/components/ui/button'
import { ShareButton } from '@/components/shared/share-button'
import { type ClaimView, isItemPublic } from './claim'
import { browserWallet, showInWallet } from './show-in-wallet'

export type ArrivedProps = {
  claim: ClaimView
  title: string
  /** The recipient's wallet can be opened in this browser. */
  hasWallet: boolean
}

/** What the recipient can do with an item that has arrived. */
export function Arrived({ claim, title, hasWallet }: ArrivedProps) {
  const [inWallet, setInWallet] = useState(false)
  const explorer = claim.delivery.explorer_url
  const itemId = claim.item?.id ?? null
  const isPublic = useQuery({
    queryKey: ['is-public', itemId],
    queryFn: () => isItemPublic(itemId!),
    enabled: itemId !== null,
  }).data
  const page = isPublic ? `/i/${itemId}` : null

  return (
    <div className="grid gap-2">
      {hasWallet && (
        <LinkButton href={itemId ? `/wallet?item=${itemId}` : '/wallet'} size="lg" variant="primary">
          Open my wallet
        </LinkButton>
      )}
      {!hasWallet && claim.item && browserWallet() && (
        <Button
          size="lg"
          variant="primary"
          onClick={() => void showInWallet(claim.item!, claim.delivery.token_id).then(setInWallet)}
          icon={<Wallet aria-hidden="true" className="size-5" />}
        >
          {inWallet ? 'Your wallet app shows it' : 'Show it in my wallet app'}
        </Button>
      )}
      {/* Never the claim's own link: it is a secret. */}
      <ShareButton text={`I got “${title}”.`} path={page ?? explorer} label="Share the news" size="lg" />
      {page && (
        <LinkButton href={page} prefetch={false} variant="quiet">
          See its page
        </LinkButton>
      )}
      {explorer && (
        <LinkButton
          href={explorer}
          target="_blank"
          rel="noreferrer"
          variant="quiet"
          icon={<ExternalLink aria-hidden="true" className="size-4" />}
        >
          See it on the network
        </LinkButton>
      )}
      <p role="status" className="sr-only">
        {inWallet ? 'Your wallet app shows it.' : ''}
      </p>
    </div>
  )
}
