'use client'

import { useState } from 'react'
import { Download } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { writingOf } from '@/components/ui/quoted'
import { PlainLink } from '@/components/ui/plain-link'
import { Problem } from '@/packages/client/src/call'
import type { Holder, WalletItemInFull } from './items'
import { type HeldPerk, type HeldPerks, openPerks, type ProvedHolder, saveFile, takeCodes } from './perks'
import { useWalletFailureText } from './use-wallet-failure-text'
import type { Viewer } from './viewer'

type Props = { item: WalletItemInFull; holder: Holder; viewer: Viewer }

/**
 * The perks of an item for its holder. They are shown when they are asked for, to whoever has signed with the address.
 */
export function OwnPerks({ item, holder: { address, proof }, viewer }: Props) {
  const t = useTranslations('ownWallet.perks')
  if (item.perks === 0 || viewer.kind === 'watched') return null
  return (
    <Card title={t('title')} description={t('lead')}>
      {proof === null ? (
        <p className="text-sm text-muted">{t('signFirst')}</p>
      ) : (
        <Opening key={address} item={item} holder={{ address, proof }} />
      )}
    </Card>
  )
}

/** Runs what a button asks for, and says why it failed. */
function useAttempt() {
  const t = useTranslations('ownWallet.perks')
  const failureText = useWalletFailureText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    await work().catch((failure: unknown) => {
      // Its arrival isn't final any more.
      const isUnsettled = failure instanceof Problem && failure.code === 'conflict'
      setProblem(isUnsettled ? t('notYetLead') : failureText(failure))
    })
    setBusy(false)
  }
  const alert = problem && (
    <Alert tone="warning" live>
      {problem}
    </Alert>
  )
  return { busy, alert, attempt }
}

function Opening({ item, holder }: { item: WalletItemInFull; holder: ProvedHolder }) {
  const t = useTranslations('ownWallet.perks')
  const tItem = useTranslations('ownWallet.item')
  const locale = useLocale()
  const [opened, setOpened] = useState<HeldPerks | null>(null)
  const { busy, alert, attempt } = useAttempt()
  const open = () => attempt(async () => setOpened(await openPerks(holder, item.id)))
  const change = (perk: HeldPerk) =>
    setOpened(
      (before) => before && { ...before, results: before.results.map((one) => (one.id === perk.id ? perk : one)) },
    )
  return (
    <div className="grid justify-items-start gap-5 wrap-anywhere">
      {alert}
      {opened?.state === 'CONFIRMING' && (
        <Alert live title={t('notYet')}>
          {t('notYetLead')}
        </Alert>
      )}
      {opened?.state === 'HELD' && (
        <ul className="grid w-full gap-6">
          {opened.results.map((perk) => (
            <li key={perk.id} className="grid justify-items-start gap-2 border-s-2 border-glass ps-4">
              <h3 {...writingOf(perk.title, locale)} className="font-medium wrap-anywhere">
                {perk.title}
              </h3>
              <Content perk={perk} item={item} holder={holder} onChange={change} />
            </li>
          ))}
        </ul>
      )}
      {opened?.state !== 'HELD' && (
        <Button busy={busy} onClick={() => void open()}>
          {opened ? tItem('lookAgain') : t('show')}
        </Button>
      )}
    </div>
  )
}

type ContentProps = { perk: HeldPerk; item: WalletItemInFull; holder: ProvedHolder; onChange: (perk: HeldPerk) => void }

function Content({ perk, ...rest }: ContentProps) {
  const locale = useLocale()
  if (perk.text !== null)
    return (
      <p {...writingOf(perk.text, locale)} className="max-w-prose whitespace-pre-line wrap-anywhere">
        {perk.text}
      </p>
    )
  if (perk.url !== null)
    return (
      <PlainLink href={perk.url} className="wrap-anywhere">
        {perk.url.replace(/^https:\/\//, '')}
      </PlainLink>
    )
  return perk.file ? <File perk={perk} {...rest} /> : <Codes perk={perk} {...rest} />
}

function File({ perk, item, holder }: ContentProps) {
  const t = useTranslations('ownWallet.perks')
  const { busy, alert, attempt } = useAttempt()
  return (
    <>
      {alert}
      <Button
        busy={busy}
        onClick={() => void attempt(() => saveFile(holder, item.id, perk))}
        icon={<Download aria-hidden="true" className="size-4" />}
      >
        {t('download', { name: perk.file!.name })}
      </Button>
    </>
  )
}

function Codes({ perk, item, holder, onChange }: ContentProps) {
  const t = useTranslations('ownWallet.perks')
  const { busy, alert, attempt } = useAttempt()
  const [codes, open] = [perk.codes ?? [], perk.codes_open ?? 0]
  return (
    <>
      {codes.length > 0 && (
        <ul className="grid gap-1">
          {codes.map(({ code }) => (
            <li key={code} className="flex flex-wrap items-center gap-2">
              <span className="figures break-all">{code}</span>
              <CopyButton text={code} label={t('copyCode')} />
            </li>
          ))}
        </ul>
      )}
      {alert}
      {open > 0 ? (
        <>
          <p className="text-sm text-muted">{t('once')}</p>
          <Button
            busy={busy}
            onClick={() => void attempt(async () => onChange(await takeCodes(holder, item.id, perk.id)))}
          >
            {t('get', { count: open })}
          </Button>
        </>
      ) : (
        codes.length === 0 && <p className="text-sm text-muted">{t(perk.codes_left === 0 ? 'gone' : 'had')}</p>
      )}
    </>
  )
}
