import { useTranslations } from 'next-intl'
import { classes } from './classes'
import { CopyButton } from './copy-button'

/**
 * An address or hash, shortened to its two ends; complete for assistive technology and on hover. With a copy button by
 * default.
 */
export function Address({
  value,
  whole = false,
  copy = true,
  copyLabel,
  className,
}: {
  value: string
  whole?: boolean
  copy?: boolean
  /** The label of the copy button; one for addresses, if it is left out. */
  copyLabel?: string
  className?: string
}) {
  const t = useTranslations('common')
  const short = value.length > 16 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
  return (
    <span className={classes('inline-flex min-w-0 items-center gap-0.5', className)}>
      <span dir="ltr" className={classes('figures', whole && 'break-all')} title={value}>
        {whole ? (
          value
        ) : (
          <>
            <span aria-hidden="true">{short}</span>
            <span className="sr-only">{value}</span>
          </>
        )}
      </span>
      {copy && <CopyButton text={value} label={copyLabel ?? t('copy.address')} />}
    </span>
  )
}
