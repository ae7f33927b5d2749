'use client'

import { ExternalLink } from 'lucide-react'
import { Address } from '@/components/ui/address'
import { LinkButton } from '@/components/ui/button'
import type { NetworkFacts } from '../../shared/network'
import { Step } from '../../shared/step'
import type { Viewer } from '../viewer'
import { ToItems } from './to-items'

type Props = { to: string; hash: string | null; viewer: Viewer; network: NetworkFacts | null }

/** It has arrived: where it is now, its transaction, and the way back to a list without it. */
export function Sent({ to, hash, viewer, network }: Props) {
  return (
    <Step
      level={1}
      title="It has arrived"
      lead={
        <>
          It belongs to <Address value={to} copy={false} /> now.
        </>
      }
    >
      <p role="status" className="sr-only">
        It has arrived.
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
            See it on the network
          </LinkButton>
        ) : (
          hash && (
            <p className="justify-self-center text-sm text-muted">
              Transaction <Address value={hash} copyLabel="Copy transaction hash" />
            </p>
          )
        )}
      </div>
    </Step>
  )
}
