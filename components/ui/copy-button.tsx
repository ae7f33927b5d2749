'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'next-intl'
import { Check, Copy } from 'lucide-react'
import { classes } from './classes'

/** Copies `text`. `label` names it, as in “Copy address”; `showLabel` makes it visible; `onCopied` hears of it. */
export function CopyButton({
  text,
  label,
  showLabel = false,
  onCopied,
  className,
}: {
  text: string
  label: string
  showLabel?: boolean
  onCopied?: () => void
  className?: string
}) {
  const t = useTranslations('common')
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')

  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setState('copied')
        onCopied?.()
      },
      () => setState('refused'),
    )

  const status = state === 'copied' ? t('copied') : state === 'refused' ? t('copyRefused') : ''
  return (
    <span className={classes('inline-flex', className)}>
      <button
        type="button"
        onClick={copy}
        aria-label={showLabel ? undefined : label}
        title={label}
        className={
          'inline-flex min-h-8 min-w-8 items-center justify-center gap-2 rounded-md px-2 text-sm text-muted ' +
          'transition-colors hover:bg-well hover:text-ink'
        }
      >
        {state === 'copied' ? (
          <Check aria-hidden="true" className="size-4 text-good" />
        ) : (
          <Copy aria-hidden="true" className="size-4" />
        )}
        {showLabel && <span>{state === 'copied' ? t('copied') : label}</span>}
      </button>
      <span role="status" className="sr-only">
        {status}
      </span>
    </span>
  )
}
