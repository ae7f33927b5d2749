import { useLocale, useTranslations } from 'next-intl'
import { Badge, StateBadge } from '@/components/ui/badge'
import { CopyButton } from '@/components/ui/copy-button'
import { StoredImage } from '@/components/ui/stored-image'
import { Time } from '@/components/ui/time'
import { pathOf, sizeOf } from '../forms/upload'

export type MediaCardFile = {
  id: string
  cid: string
  original: string
  full: string
  thumb: string
  name: string | null
  width: number
  height: number
  bytes: number
  pinning: 'NONE' | 'PENDING' | 'PINNED' | 'FAILED'
  pin_failure: string | null
  created_at: Date
}

/** The state that each state of pinning looks like. */
const LOOKS = { NONE: null, PENDING: 'PENDING', PINNED: 'COMPLETED', FAILED: 'FAILED' } as const

/** Uploaded images, each with its address to copy. */
export function MediaGrid({ files }: { files: MediaCardFile[] }) {
  const t = useTranslations('dashboard.media')
  const locale = useLocale()
  const badgeOf = (pinning: MediaCardFile['pinning']) => {
    const [state, label] = [LOOKS[pinning], t(`badges.${pinning}`)]
    return state ? <StateBadge state={state} label={label} /> : <Badge>{label}</Badge>
  }
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4">
      {files.map((file) => (
        <li
          key={file.id}
          className={
            'grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] overflow-hidden rounded-lg ' +
            'border bg-pane shadow-rest'
          }
        >
          <a
            href={pathOf(file.original)}
            target="_blank"
            rel="noreferrer"
            className="relative block aspect-[4/3] bg-well focus-visible:-outline-offset-4"
          >
            <StoredImage
              src={pathOf(file.thumb)}
              alt={file.name === null ? t('openIt') : t('open', { name: file.name })}
              loading="lazy"
              decoding="async"
              className="absolute inset-0 size-full object-contain p-3"
            />
          </a>
          <div className="grid content-start gap-2 p-4">
            <div className="flex items-start justify-between gap-2">
              <h2 className="min-w-0 font-medium wrap-anywhere">{file.name ?? t('untitled')}</h2>
              {badgeOf(file.pinning)}
            </div>
            <p className="text-sm text-muted">
              <span className="figures">{`${file.width} × ${file.height}`}</span>
              <span>{`, ${sizeOf(file.bytes, locale)}, `}</span>
              <Time at={file.created_at} />
            </p>
            {file.pin_failure && <p className="text-sm text-bad">{file.pin_failure}</p>}
            <p className="figures truncate text-muted" title={file.cid}>
              {file.cid}
            </p>
            <div className="-ms-2 flex flex-wrap gap-1">
              <CopyButton text={file.full} label={t('copyAddress')} showLabel />
              <CopyButton text={file.cid} label={t('copyCid')} showLabel />
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
