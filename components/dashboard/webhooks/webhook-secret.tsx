'use client'

import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { ShownSecret } from '../forms/shown-secret'
import { SNIPPETS } from './webhook-snippets'

/** A webhook's secret, which is shown once, with instructions. */
export function WebhookSecret({
  value,
  title,
  done,
  note,
}: {
  value: string
  title: string
  done: string
  note?: string
}) {
  const t = useTranslations('dashboard.webhooks.secret')
  return (
    <div className="grid max-w-3xl gap-6">
      <Card title={title}>
        <div className="grid gap-5">
          <Alert tone="warning" live>
            {note === undefined ? t('once') : `${t('once')} ${note}`}
          </Alert>
          <ShownSecret value={value} label={t('copy')} testId="webhook-secret" />
          <div>
            <LinkButton href={done} variant="primary" data-unasked>
              {t('haveIt')}
            </LinkButton>
          </div>
        </div>
      </Card>
      <WebhookSnippets open />
    </div>
  )
}

/** How a receiver verifies signatures, in three languages. */
export function WebhookSnippets({ open = false }: { open?: boolean }) {
  const t = useTranslations('dashboard.webhooks.secret')
  return (
    <Card title={t('verify')} description={t('verifyText')}>
      <div className="grid gap-3">
        {Object.entries(SNIPPETS).map(([language, code], at) => (
          <details key={language} open={open && at === 0} className="rounded-md border">
            <summary className="min-h-10 px-4 py-2.5 text-sm font-medium">{language}</summary>
            <div className="grid gap-2 border-t bg-well px-4 py-3">
              <div className="-mr-2 justify-self-end">
                <CopyButton text={code} label={t('copyCode', { language })} showLabel />
              </div>
              <pre className="figures text-sm whitespace-pre-wrap wrap-anywhere">{code}</pre>
            </div>
          </details>
        ))}
      </div>
    </Card>
  )
}
