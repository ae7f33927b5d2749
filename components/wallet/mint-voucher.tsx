'use client'

import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Check, Send } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { getAddress } from 'viem'
import type { Hex } from 'viem'
import { useConfig } from 'wagmi'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Fact, Facts } from '@/components/ui/facts'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import { ConnectButton, type Connected, ConnectedWallet, useConnectedWallet } from './connect'
import { coins } from '../shared/network'
import type { NetworkFacts } from '../shared/network'
import { NeedsCoins } from './needs-coins'
import type { OpenWallet } from './open-wallet'
import { RelayRefusal } from '../shared/relay'
import { sendVoucher } from './send-voucher'
import { useWalletText } from './use-wallet-text'
import { quoteMint, sendMint } from './voucher'
import type { VoucherEntry } from './voucher'

export type MintVoucherProps = {
  entry: VoucherEntry
  network: NetworkFacts
  /** The unlocked wallet, where the item goes to one made here. */
  wallet: OpenWallet | null
  onSent: (hash: Hex) => void
}

/** Redeems a voucher: from the wallet made here, or from a wallet of the browser. */
export function MintVoucher({ entry, network, wallet, onSent }: MintVoucherProps) {
  return wallet ? (
    <FromOwnWallet entry={entry} network={network} wallet={wallet} onSent={onSent} />
  ) : (
    <FromBrowserWallet entry={entry} network={network} onSent={onSent} />
  )
}

function FromOwnWallet({ entry, network, wallet, onSent }: MintVoucherProps & { wallet: OpenWallet }) {
  const t = useTranslations('wallet.voucher')
  const locale = useLocale()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const quote = useQuery({
    queryKey: ['mint-quote', entry.contract, entry.voucher.nonce, wallet.address],
    queryFn: () => quoteMint(entry, wallet.address),
    // Each quote takes four requests; this interval stays far below the rate limit of an address.
    refetchInterval: busy ? false : 10_000,
  })

  if (quote.isPending) return <Spinner label={t('asking')} />
  if (!quote.data) {
    return (
      <Alert tone="warning" live action={<Button onClick={() => quote.refetch()}>{t('askAgain')}</Button>}>
        {t('noQuote')}
      </Alert>
    )
  }
  const { needed, balance } = quote.data
  const enough = balance >= needed

  async function send() {
    if (!quote.data) return
    setBusy(true)
    setProblem(null)
    try {
      onSent(await sendMint(entry, wallet.key, quote.data))
    } catch (failure) {
      setProblem(failure instanceof RelayRefusal ? t('refused', { reason: failure.message }) : t('notSent'))
      setBusy(false)
    }
  }

  return (
    <div className="grid gap-5">
      <Facts className="rounded-md border px-4">
        <Fact name={t('fee')}>
          <bdi className="figures">{coins(needed, network, locale)}</bdi>
        </Fact>
        <Fact name={t('balance')}>
          <bdi className="figures">{coins(balance, network, locale, 'down')}</bdi>
        </Fact>
      </Facts>
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      {enough ? (
        <Button
          variant="primary"
          size="lg"
          busy={busy}
          onClick={send}
          icon={<Send aria-hidden="true" className="size-4.5 rtl:-scale-x-100" />}
        >
          {t('sign')}
        </Button>
      ) : (
        <NeedsCoins address={wallet.address} missing={needed - balance} network={network} />
      )}
    </div>
  )
}

function FromBrowserWallet({ entry, network, onSent }: Omit<MintVoucherProps, 'wallet'>) {
  const walletText = useWalletText()
  const config = useConfig()
  const connected = useConnectedWallet()
  const t = useTranslations('wallet.voucher')
  const tConnect = useTranslations('wallet.connect')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function send(from: Connected) {
    setBusy(true)
    setProblem(null)
    try {
      onSent(await sendVoucher(config, from, entry))
    } catch (failure) {
      setProblem(walletText(failure, network))
      setBusy(false)
    }
  }

  if (connected === 'looking') return <Spinner label={tConnect('looking')} />
  if (!connected) return <ConnectButton label={t('connect')} />
  return (
    <div className="grid gap-4">
      <ConnectedWallet />
      {!sameAddress(connected.address, entry.minter) && (
        <Alert>
          <Sentence>{t.rich('onlyFee', { address: () => <Address value={entry.minter} copy={false} /> })}</Sentence>
        </Alert>
      )}
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      <Button
        variant="primary"
        size="lg"
        busy={busy}
        onClick={() => send(connected)}
        icon={<Check aria-hidden="true" className="size-4.5" />}
      >
        {t(busy ? 'inWallet' : 'collect')}
      </Button>
    </div>
  )
}

const sameAddress = (one: string, other: string) => getAddress(one) === getAddress(other)
