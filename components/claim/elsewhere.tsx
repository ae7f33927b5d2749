'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'next-intl'
import { ExternalLink, Smartphone } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { Spinner } from '@/components/ui/spinner'
import { useFailureText } from '@/components/shared/failure-text'
import { QrCode } from '@/components/wallet/qr-code'
import { handOver } from './claim'
import { browserWallet } from './show-in-wallet'
import { WALLET_APPS } from './wallet-links'

type Made = { at: 'making' } | { at: 'ready'; url: string } | { at: 'over' } | { at: 'failed'; failure: unknown }

const LIFE_MS = 5 * 60 * 1000

const isPhone = (): boolean => matchMedia('(pointer: coarse)').matches

/** Whether most people's wallet is another app: on a phone, in a browser that is none's. */
export const walletIsElsewhere = (): boolean => isPhone() && browserWallet() === undefined

/** Opens the claim in a wallet's app, or on another device, by an address that works once and for five minutes. */
export function Elsewhere({ token }: { token: string }) {
  const t = useTranslations('claim.elsewhere')
  const [open, setOpen] = useState(false)
  const onPhone = isPhone()
  const title = t(onPhone ? 'inApp' : 'onPhone')
  return (
    <Dialog
      trigger={
        <Button
          variant={walletIsElsewhere() ? 'primary' : 'secondary'}
          size="lg"
          icon={<Smartphone aria-hidden="true" className="size-5" />}
        >
          {title}
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title={title}
      description={t('lead')}
    >
      {open && <Handover token={token} onPhone={onPhone} />}
    </Dialog>
  )
}

function Handover({ token, onPhone }: { token: string; onPhone: boolean }) {
  const t = useTranslations('claim.elsewhere')
  const failureText = useFailureText()
  const [made, setMade] = useState<Made>({ at: 'making' })
  const making = made.at === 'making'

  useEffect(() => {
    if (!making) return
    let unmounted = false
    const set = (next: Made) => {
      if (!unmounted) setMade(next)
    }
    handOver(token).then(
      ({ url }) => set({ at: 'ready', url }),
      (failure: unknown) => set({ at: 'failed', failure }),
    )
    return () => {
      unmounted = true
    }
  }, [making, token])

  const url = made.at === 'ready' ? made.url : null
  useEffect(() => {
    if (url === null) return
    const timer = setTimeout(() => setMade({ at: 'over' }), LIFE_MS)
    return () => clearTimeout(timer)
  }, [url])

  switch (made.at) {
    case 'making':
      return <Spinner label={t('making')} />
    case 'ready':
      return onPhone ? <Links url={made.url} /> : <Code url={made.url} />
    case 'over':
    case 'failed':
      return (
        <Alert
          tone={made.at === 'over' ? 'info' : 'danger'}
          live
          action={<Button onClick={() => setMade({ at: 'making' })}>{t('again')}</Button>}
        >
          {made.at === 'over' ? t('over') : failureText(made.failure)}
        </Alert>
      )
  }
}

function Links({ url }: { url: string }) {
  const t = useTranslations('claim.elsewhere')
  return (
    <div className="grid gap-2">
      <ul className="grid gap-2">
        {WALLET_APPS.map(({ name, link }) => (
          <li key={name} className="grid">
            <LinkButton
              href={link(url)}
              size="lg"
              rel="noreferrer"
              icon={<ExternalLink aria-hidden="true" className="size-5" />}
            >
              {name}
            </LinkButton>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        <span>{t('otherApp')}</span> <CopyButton text={url} label={t('copy')} showLabel />
      </p>
    </div>
  )
}

function Code({ url }: { url: string }) {
  const t = useTranslations('claim.elsewhere')
  return (
    <div className="grid justify-items-center gap-4">
      <QrCode text={url} label={t('code')} className="w-56" />
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <span>{t('scan')}</span> <CopyButton text={url} label={t('copy')} showLabel />
      </p>
    </div>
  )
}
