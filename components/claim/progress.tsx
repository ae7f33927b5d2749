import { Stops } from '@/components/ui/stops'
import type { Stop } from '@/components/ui/stops'

const stops: Stop[] = [
  { name: 'Confirming', hint: 'We are writing it down for you.' },
  { name: 'On its way', hint: 'The network is making it permanent.' },
  { name: 'Yours', hint: 'It is in your wallet, and nobody can take it back.' },
]

/** The delivery's progress: 0 confirming, 1 on its way, 2 yours. */
export function Progress({ reached }: { reached: 0 | 1 | 2 }) {
  return <Stops stops={stops} reached={reached} />
}
