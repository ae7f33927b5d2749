'use client'

import { ExternalLink } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'
import { LinkButton } from '@/components/ui/link-button'
import { Sentence } from '@/components/ui/sentence'
import type { NetworkFacts } from '../../shared/network'
import { Step } from '../../shared/step'
import type { Viewer } from '../viewer'
import { ToItems } from './to-items'

type Props = { to: string; hash: string | null; viewer: Viewer; network: NetworkFacts | null }

/** It has arrived: where it is now, its transaction, and the way back to a list without it. */
export function Sent({ to, hash, viewer, network }: Props) {
  const t = useTranslations('ownWallet.transfer')
  const tCommon = useTranslations('common')
  return (
    <Step
      level={1}
      title={t('arrived')}
      lead={<Sentence>{t.rich('arrivedLead', { address: () => <Address value={to} copy={false} /> })}</Sentence>}
    >
      <p role="status" className="sr-only">
        {t('hasArrived')}
      </p>
      <div className="grid gap-2">
        <ToItems viewer={viewer} />
        {hash && network?.explorerUrl ? (
          <LinkButton
            href={`${network.explorerUrl}/tx/${hash}`}
            target="_blank"
            rel="noreferrer"
            variant="quiet"
            icon={<ExternalLink aria-hidden="true" className="size-4" />}
          >
            {t('explorer')}
          </LinkButton>
        ) : (
          hash && (
            <p className="justify-self-center text-sm text-muted">
              <Sentence>
                {t.rich('transaction', {
                  hash: () => <Address value={hash} copyLabel={tCommon('copy.transaction')} />,
                })}
              </Sentence>
            </p>
          )
        )}
      </div>
    </Step>
  )
}
