'use client'

import { Frame } from '@/components/shared/frame'
import { LoadFailed } from '@/components/shared/load-failed'

export default function ClaimFailed({ reset }: { reset: () => void }) {
  return (
    <Frame>
      <LoadFailed
        lead="Something is wrong on our side, not with your link. It keeps working: try again in a minute."
        onRetry={reset}
      />
    </Frame>
  )
}
