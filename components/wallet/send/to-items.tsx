'use client'

import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { goTo } from '../place'
import type { Viewer } from '../viewer'

/** The way from a send that has ended back to the list, which is read anew. */
export function ToItems({ viewer }: { viewer: Viewer }) {
  const t = useTranslations('ownWallet.transfer')
  const queries = useQueryClient()
  useEffect(() => queries.removeQueries({ queryKey: ['items'] }), [queries])

  function leave() {
    goTo({ address: viewer.kind === 'watched' ? viewer.address : null, item: null })
    window.scrollTo(0, 0)
  }

  return (
    <Button variant="primary" size="lg" onClick={leave}>
      {t('toItems')}
    </Button>
  )
}
