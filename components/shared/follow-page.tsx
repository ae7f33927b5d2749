'use client'

import { useEffect } from 'react'
import { followServerTime } from './server-clock'

/** Tells the page the server's time at which it was made. It stands before whatever counts from that. */
export function FollowPage({ madeAt }: { madeAt: number }) {
  useEffect(() => {
    followServerTime(madeAt, arrivedAt())
  }, [madeAt])
  return null
}

let isFirst = true

/** When the page's first byte arrived; what the router loads later has arrived only now. */
function arrivedAt(): number {
  const [page] = isFirst ? performance.getEntriesByType('navigation') : []
  isFirst = false
  return page instanceof PerformanceNavigationTiming ? page.responseStart : performance.now()
}
