'use client'

import { useState } from 'react'
import { Check, ExternalLink, Share2, Wallet } from 'lucide-react'
import { Button, LinkButton } from '@/components/ui/button'
import type { ClaimView } from './claim'
import { browserWallet, showInWallet } from './show-in-wallet'

export type ArrivedProps = {
  claim: ClaimView
  title: string
  /** The recipient's wallet can be opened in this browser. */
  hasWallet: boolean
}

/** What the recipient can do with an item that has arrived. */
export function Arrived({ claim, title, hasWallet }: ArrivedProps) {
  const [copied, setCopied] = useState(false)
  const [inWallet, setInWallet] = useState(false)
  const explorer = claim.delivery.explorer_url

  /** Never the claim's own link: it is a secret. */
  async function share() {
    const text = `I got “${title}”.`
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- many browsers of desks don't have it
    if (navigator.share) return navigator.share({ text, ...(explorer && { url: explorer }) }).catch(() => undefined)
    await navigator.clipboard.writeText(explorer ? `${text} ${explorer}` : text)
    setCopied(true)
  }

  return (
    <div className="grid gap-2">
      {hasWallet && (
        <LinkButton href="/wallet" size="lg" variant="primary">
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
      <Button
        size="lg"
        onClick={() => void share()}
        icon={
          copied ? <Check aria-hidden="true" className="size-5" /> : <Share2 aria-hidden="true" className="size-5" />
        }
      >
        {copied ? 'Copied' : 'Share the news'}
      </Button>
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
        {copied ? 'Copied.' : inWallet ? 'Your wallet app shows it.' : ''}
      </p>
    </div>
  )
}
