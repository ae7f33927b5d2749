import { FlaskConical } from 'lucide-react'
import { useTranslations } from 'next-intl'

/** Tells buyers that no real money is involved. */
export function TestModeBar() {
  const t = useTranslations('order')
  return (
    <p className="mb-6 flex items-center gap-2.5 rounded-md bg-warn-soft px-4 py-2.5 text-sm text-ink">
      <FlaskConical aria-hidden="true" className="size-4 shrink-0 text-warn" />
      <span>
        <Sentence>
          {t.rich('testMode', { name: (name) => <strong className="font-medium text-warn">{name}</strong> })}
        </Sentence>
      </span>
    </p>
  )
}
import { Sentence } from '@/components/ui/sentence'
