'use client'

import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { Address } from '@/components/ui/address'
import { Button, LinkButton } from '@/components/ui/button'
import type { NetworkFacts } from '../../shared/network'
import { Step } from '../../shared/step'
import { goTo } from '../place'
import type { Viewer } from '../viewer'

type Props = { to: string; hash: string | null; viewer: Viewer; network: NetworkFacts | null }

/** It has arrived: where it is now, its transaction, and the way back to a list without it. */
export function Sent({ to, hash, viewer, network }: Props) {
  const queries = useQueryClient()
  useEffect(() => queries.removeQueries({ queryKey: ['items'] }), [queries])

  function leave() {
    goTo({ address: viewer.kind === 'watched' ? viewer.address : null, item: null })
    window.scrollTo(0, 0)
  }

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
        <Button variant="primary" size="lg" onClick={leave}>
          Back to all items
        </Button>
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
              Transaction <Address value={hash} noun="transaction hash" />
            </p>
          )
        )}
      </div>
    </Step>
  )
}
