'use client'

import { useState } from 'react'
import { Download } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { TextLink } from '@/components/ui/text-link'
import { failureSentence } from '../shared/api'
import type { Holder, WalletItemInFull } from './items'
import { type HeldPerk, type HeldPerks, openPerks, type ProvedHolder, saveFile, takeCodes } from './perks'
import type { Viewer } from './viewer'

type Props = { item: WalletItemInFull; holder: Holder; viewer: Viewer }

/** What comes with an item for its holder. It is shown when it is asked for, to whoever has signed with the address. */
export function OwnPerks({ item, holder: { address, proof }, viewer }: Props) {
  if (item.perks === 0 || viewer.kind === 'watched') return null
  return (
    <Card title="Perks" description="What comes with this item, as long as you hold it.">
      {proof === null ? (
        <p className="text-sm text-muted">
          Sign the text above with your wallet first: only whoever holds the item sees them.
        </p>
      ) : (
        <Opening key={address} item={item} holder={{ address, proof }} />
      )}
    </Card>
  )
}

/** Runs what a button asks for, and says why it failed. */
function useAttempt() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    await work().catch((failure: unknown) => setProblem(failureSentence(failure)))
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
  const [opened, setOpened] = useState<HeldPerks | null>(null)
  const { busy, alert, attempt } = useAttempt()
  const open = () => attempt(async () => setOpened(await openPerks(holder, item.id)))
  const change = (perk: HeldPerk) =>
    setOpened(
      (before) => before && { ...before, results: before.results.map((one) => (one.id === perk.id ? perk : one)) },
    )
  return (
    <div className="grid justify-items-start gap-5">
      {alert}
      {opened?.state === 'CONFIRMING' && (
        <Alert live title="Not yet">
          The item has only just arrived. Perks open once its arrival is final, which takes some minutes on most
          networks.
        </Alert>
      )}
      {opened?.state === 'HELD' && (
        <ul className="grid w-full gap-6">
          {opened.results.map((perk) => (
            <li key={perk.id} className="grid justify-items-start gap-2 border-l-2 border-glass pl-4">
              <h3 dir="auto" className="font-medium wrap-anywhere">
                {perk.title}
              </h3>
              <Content perk={perk} item={item} holder={holder} onChange={change} />
            </li>
          ))}
        </ul>
      )}
      {opened?.state !== 'HELD' && (
        <Button busy={busy} onClick={() => void open()}>
          {opened ? 'Look again' : 'Show my perks'}
        </Button>
      )}
    </div>
  )
}

type ContentProps = { perk: HeldPerk; item: WalletItemInFull; holder: ProvedHolder; onChange: (perk: HeldPerk) => void }

function Content({ perk, ...rest }: ContentProps) {
  if (perk.text !== null)
    return (
      <p dir="auto" className="max-w-prose whitespace-pre-line wrap-anywhere">
        {perk.text}
      </p>
    )
  if (perk.url !== null)
    return (
      <TextLink href={perk.url} className="wrap-anywhere">
        {perk.url.replace(/^https:\/\//, '')}
      </TextLink>
    )
  return perk.file ? <File perk={perk} {...rest} /> : <Codes perk={perk} {...rest} />
}

function File({ perk, item, holder }: ContentProps) {
  const { busy, alert, attempt } = useAttempt()
  return (
    <>
      {alert}
      <Button
        busy={busy}
        onClick={() => void attempt(() => saveFile(holder, item.id, perk))}
        icon={<Download aria-hidden="true" className="size-4" />}
      >
        Download {perk.file!.name}
      </Button>
    </>
  )
}

function Codes({ perk, item, holder, onChange }: ContentProps) {
  const { busy, alert, attempt } = useAttempt()
  const [codes, open] = [perk.codes ?? [], perk.codes_open ?? 0]
  return (
    <>
      {codes.length > 0 && (
        <ul className="grid gap-1">
          {codes.map(({ code }) => (
            <li key={code} className="flex flex-wrap items-center gap-2">
              <span className="figures break-all">{code}</span>
              <CopyButton text={code} label="Copy the code" />
            </li>
          ))}
        </ul>
      )}
      {alert}
      {open > 0 ? (
        <>
          <p className="text-sm text-muted">
            Each code is given once. When you pass the item on after that, its next holder gets none.
          </p>
          <Button
            busy={busy}
            onClick={() => void attempt(async () => onChange(await takeCodes(holder, item.id, perk.id)))}
          >
            {open === 1 ? 'Get the code' : `Get ${open} codes`}
          </Button>
        </>
      ) : (
        codes.length === 0 && (
          <p className="text-sm text-muted">
            {perk.codes_left === 0 ? 'All codes are gone.' : 'An earlier holder of this item has had its code.'}
          </p>
        )
      )}
    </>
  )
}
