'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Monitor, Moon, Smartphone, Sun, Type } from 'lucide-react'
import { classes } from '@/components/ui/classes'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Spinner } from '@/components/ui/spinner'

export type Preview = {
  subject: string | null
  text: string | null
  html: string | null
  errors: { field: 'subject' | 'text' | 'body'; line: number | null; detail: string }[]
}

type Props = {
  preview: Preview
  /** The preview doesn't include the latest changes yet. */
  stale: boolean
  sender: string
  origin: string
  dark: boolean
  onDark: (dark: boolean) => void
  recipients: { id: string; email: string }[]
  /** As whose recipient it is shown; null: with sample data. */
  claimId: string | null
  onClaim: (claimId: string | null) => void
}

/** A mail rendered with sample data, or as one recipient reads it. */
export function TemplatePreview({ preview, stale, sender, origin, dark, onDark, recipients, claimId, onClaim }: Props) {
  const t = useTranslations('dashboard.campaigns.preview')
  const [as, setAs] = useState<'desktop' | 'phone' | 'text'>('desktop')
  return (
    <section aria-label={t('label')} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div role="group" aria-label={t('show')} className="flex gap-1">
          <Toggle
            on={as === 'desktop'}
            onClick={() => setAs('desktop')}
            icon={<Monitor aria-hidden="true" className="size-4" />}
            label={t('desktop')}
          />
          <Toggle
            on={as === 'phone'}
            onClick={() => setAs('phone')}
            icon={<Smartphone aria-hidden="true" className="size-4" />}
            label={t('phone')}
          />
          <Toggle
            on={as === 'text'}
            onClick={() => setAs('text')}
            icon={<Type aria-hidden="true" className="size-4" />}
            label={t('text')}
          />
        </div>
        <div role="group" aria-label={t('lightOrDark')} className="flex gap-1">
          <Toggle
            on={!dark}
            onClick={() => onDark(false)}
            icon={<Sun aria-hidden="true" className="size-4" />}
            label={t('light')}
          />
          <Toggle
            on={dark}
            onClick={() => onDark(true)}
            icon={<Moon aria-hidden="true" className="size-4" />}
            label={t('dark')}
          />
        </div>
      </div>
      <div className="overflow-hidden rounded-lg border bg-pane shadow-lift">
        <div className="flex items-start justify-between gap-3 border-b px-4 py-3">
          <p className="grid min-w-0 gap-0.5 text-sm">
            <span className="text-muted wrap-anywhere">{sender}</span>
            <span className="font-medium wrap-anywhere">{preview.subject ?? t('subjectWrong')}</span>
          </p>
          <span role="status" className={classes('shrink-0 text-muted', !stale && 'invisible')}>
            <Spinner />
            <span className="sr-only">{stale ? t('loading') : ''}</span>
          </span>
        </div>
        <div className="grid justify-items-center bg-well">
          <Shown preview={preview} as={as} origin={origin} />
        </div>
      </div>
      {recipients.length > 0 && (
        <Field label={t('showAs')}>
          <Select value={claimId ?? ''} onChange={(event) => onClaim(event.target.value || null)}>
            <option value="">{t('sample')}</option>
            {recipients.map(({ id, email }) => (
              <option key={id} value={id}>
                {email}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <p className="text-sm text-muted">
        {`${claimId === null ? t('withSample') : t('withRecipient')} ${t('pictures')}`}
      </p>
    </section>
  )
}

function Shown({
  preview: { html, text },
  as,
  origin,
}: {
  preview: Preview
  as: 'desktop' | 'phone' | 'text'
  origin: string
}) {
  const t = useTranslations('dashboard.campaigns.preview')
  if (as === 'text')
    return (
      <pre
        tabIndex={0}
        className="figures h-[38rem] w-full overflow-auto bg-pane p-4 text-sm whitespace-pre-wrap wrap-anywhere"
      >
        {text ?? t('textWrong')}
      </pre>
    )
  if (html === null)
    return (
      <p className="grid h-[38rem] w-full place-items-center p-6 text-center text-sm text-muted">{t('bodyWrong')}</p>
    )
  // The frame allows no scripts, forms or navigation, and loads only from our own origin.
  return (
    <iframe
      title={t('mail')}
      sandbox=""
      srcDoc={framed(html, origin)}
      className={classes('h-[38rem] border-0', as === 'phone' ? 'w-full max-w-[375px]' : 'w-full')}
    />
  )
}

const framed = (html: string, origin: string) =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; ` +
  `img-src ${origin} data:"><base target="_blank">${html}`

function Toggle({
  on,
  onClick,
  icon,
  label,
}: {
  on: boolean
  onClick: () => void
  icon: React.ReactElement
  label: string
}) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={classes(
        'inline-flex min-h-9 items-center gap-1.5 rounded-md px-2.5 text-sm transition-colors',
        on ? 'bg-glass-soft font-medium text-glass' : 'text-muted hover:bg-well hover:text-ink',
      )}
    >
      {icon}
      <span>{label}</span>
    </button>
  )
}
