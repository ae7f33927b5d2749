import { AskForLinks } from '@/components/shared/ask-for-links'
import { Step } from '@/components/shared/step'

/** Why a link can't be redeemed, and what to do next. */
const closed = {
  unknown: {
    title: 'We don’t know this link',
    next: 'Open it straight from the email, so that no part of it gets lost. If it still doesn’t work, ask the sender for a new one.',
  },
  expired: {
    title: 'This link has expired',
    next: 'The sender can send you a new one: reply to the email you got it in, and ask.',
  },
  locked: {
    title: 'This link is locked',
    next: 'The PIN was typed wrongly too often, so we locked it to keep it safe. Reply to the email and ask the sender to send it to you again, then use the newest email.',
  },
  revoked: {
    title: 'This link was taken back',
    next: 'The sender has withdrawn it. If you think that is a mistake, reply to the email and ask.',
  },
  declined: {
    title: 'This gift was declined',
    next: 'It went back to the sender. If you have changed your mind, reply to the email and ask for it again.',
  },
  suspended: {
    title: 'This isn’t offered at the moment',
    next: 'Those who run this service have stopped it for now. Nothing you own is affected. Your link may work again later.',
  },
  replaced: {
    title: 'There is a newer link',
    next: 'The sender has sent a new link that takes the place of this one. Look for the newest email about it and open that.',
  },
} satisfies Record<string, { title: string; next: string }>

export type ClosedReason = keyof typeof closed

type Props = {
  reason: ClosedReason
  takeFocus?: boolean
  /** 1 where the page has no other heading. */
  level?: 1 | 2
}

export function Closed({ reason, takeFocus = false, level = 2 }: Props) {
  const { title, next } = closed[reason]
  return (
    <Step title={title} lead={next} takeFocus={takeFocus} level={level} className="max-w-xl">
      <AskForLinks />
    </Step>
  )
}
