'use client'

import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { ExternalLink, Wallet } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { ShareButton } from '@/components/shared/share-button'
import { type ClaimView, isItemPublic } from './claim'
import { browserWallet, showInWallet } from './show-in-wallet'

export type ArrivedProps = {
  claim: ClaimView
  title: string
  /** The recipient's wallet can be opened in this browser. */
  hasWallet: boolean
}

/** The next steps for a recipient whose item has arrived. */
export function Arrived({ claim, title, hasWallet }: ArrivedProps) {
  const t = useTranslations('claim.arrived')
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
          {t('wallet')}
        </LinkButton>
      )}
      {!hasWallet && claim.item && browserWallet() && (
        <Button
          size="lg"
          variant="primary"
          onClick={() => void showInWallet(claim.item!, claim.delivery.token_id).then(setInWallet)}
          icon={<Wallet aria-hidden="true" className="size-5" />}
        >
          {t(inWallet ? 'shown' : 'show')}
        </Button>
      )}
      {/* Never the claim's own link: it is a secret. */}
      <ShareButton text={t('shareText', { title })} path={page ?? explorer} label={t('share')} size="lg" />
      {page && (
        <LinkButton href={page} prefetch={false} variant="quiet">
          {t('page')}
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
          {t('network')}
        </LinkButton>
      )}
      <p role="status" className="sr-only">
        {inWallet ? t('shown') : ''}
      </p>
    </div>
  )
}
