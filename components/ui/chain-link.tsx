import { ExternalLink } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'

/** An address or hash, with a link to the network's explorer where there is one. */
export function ChainLink({
  value,
  kind,
  explorerUrl,
}: {
  value: string
  kind: 'address' | 'tx'
  explorerUrl: string | null
}) {
  const t = useTranslations('common')
  return (
    <span className="inline-flex items-center">
      <Address value={value} copyLabel={t(kind === 'tx' ? 'copy.hash' : 'copy.address')} />
      {explorerUrl && (
        <a
          href={`${explorerUrl}/${kind}/${value}`}
          rel="noreferrer noopener"
          target="_blank"
          aria-label={t(`explorer.${kind}`)}
          className="grid size-8 place-items-center rounded-md text-muted hover:bg-well hover:text-ink"
        >
          <ExternalLink aria-hidden="true" className="size-4" />
        </a>
      )}
    </span>
  )
}
