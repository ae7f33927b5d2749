import { FlaskConical, Landmark } from 'lucide-react'

/** Shows whether the page concerns real money or test networks. */
export function ModeBar({ mode }: { mode: 'TEST' | 'LIVE' }) {
  const test = mode === 'TEST'
  const Icon = test ? FlaskConical : Landmark
  return (
    <p
      className={
        test
          ? 'flex items-center gap-2.5 rounded-md bg-warn-soft px-4 py-2.5 text-sm'
          : 'flex items-center gap-2.5 rounded-md bg-good-soft px-4 py-2.5 text-sm'
      }
    >
      <Icon aria-hidden="true" className={test ? 'size-4 shrink-0 text-warn' : 'size-4 shrink-0 text-good'} />
      <span>
        {test ? (
          <>
            <strong className="font-medium text-warn">Test.</strong> On a test network: no real money moves.
          </>
        ) : (
          <>
            <strong className="font-medium text-good">Live.</strong> Real money.
          </>
        )}
      </span>
    </p>
  )
}
