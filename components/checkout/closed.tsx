import { AskForLinks } from '@/components/shared/ask-for-links'
import { Step } from '@/components/shared/step'

/** Why nothing can be bought here, and what to do next. */
const closed = {
  unknown_listing: {
    title: 'There is nothing for sale here',
    next: 'Check the address, or ask whoever gave it to you for a new one.',
  },
  unknown_purchase: {
    title: 'We don’t know this purchase',
    next: 'Open the whole link, as it stands in your receipt: the part behind the # opens it. If it still doesn’t work, ask the seller.',
  },
  back_from_bank: {
    title: 'Your bank has answered',
    next: 'You can close this window. The page you came from goes on by itself.',
  },
  sold_out: {
    title: 'Sold out',
    next: 'Every one of them has found a home, or is being bought right now. If somebody doesn’t pay in time, it appears here again by itself.',
  },
  gone: { title: 'Sold out', next: 'Every one of them has found a home.' },
  paused: {
    title: 'Paused for now',
    next: 'The seller has paused this. When it goes on, this page notices by itself.',
  },
  ended: { title: 'This has ended', next: 'The time to buy it is over.' },
  suspended: {
    title: 'This isn’t offered at the moment',
    next: 'Those who run this service have stopped it for now. Nothing you own is affected.',
  },
  cancelled: {
    title: 'No longer for sale',
    next: 'The seller has withdrawn it. Nothing that was bought before is lost.',
  },
} satisfies Record<string, { title: string; next: string }>

export type ClosedReason = keyof typeof closed

type Props = {
  reason: ClosedReason
  /** 1 where the page has no other heading. */
  level?: 1 | 2
}

export function Closed({ reason, level = 2 }: Props) {
  const { title, next } = closed[reason]
  return (
    <Step title={title} lead={next} takeFocus={false} level={level} className="max-w-xl">
      {reason === 'unknown_purchase' && <AskForLinks />}
    </Step>
  )
}
