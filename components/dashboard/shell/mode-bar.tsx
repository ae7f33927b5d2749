import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { FlaskConical, Landmark } from 'lucide-react'

/** Shows whether the page concerns real money or test networks. */
export function ModeBar({ mode }: { mode: 'TEST' | 'LIVE' }) {
  const t = useTranslations('dashboard.common.mode')
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
        <Sentence>
          {t.rich(test ? 'test' : 'live', {
            strong: (text: ReactNode) => (
              <strong className={test ? 'font-medium text-warn' : 'font-medium text-good'}>{text}</strong>
            ),
          })}
        </Sentence>
      </span>
    </p>
  )
}
import { Sentence } from '@/components/ui/sentence'
