'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useConfig } from 'wagmi'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { titleOf } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { Quoted } from '@/components/ui/quoted'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import type { NetworkFacts } from '../../shared/network'
import { Step } from '../../shared/step'
import { BrowserWallets, ConnectButton, ConnectedWallet, useConnectedWallet } from '../connect'
import type { WalletItemInFull } from '../items'
import { useWalletFailureText } from '../use-wallet-failure-text'
import type { Viewer } from '../viewer'
import { OwnSendProgress } from './own-send-progress'
import { rememberSend, type RememberedSend, useRememberedSend } from './remembered-sends'
import { SendForm, type SendFormProps } from './send-form'
import { walletInPage, walletOfBrowser } from './sending-wallet'
import { TransferProgress } from './transfer-progress'
import { getTerms } from './transfers'

type Props = {
  item: WalletItemInFull
  /** Units of it that the wallet still has. */
  held: number
  viewer: Viewer
  network: NetworkFacts | null
  takesNames: boolean
}

/** Sends an item to somebody: to whom and who pays, then how far it is. A send that is under way is found again. */
export function SendItem({ item, held, viewer, network, takesNames }: Props) {
  const t = useTranslations('ownWallet.send')
  const tCommon = useTranslations('common')
  const locale = useLocale()
  const failureText = useWalletFailureText()
  const from = viewer.address
  const stored = useRememberedSend(from, item.id)
  const [sending, setSending] = useState<RememberedSend | null>(null)
  const terms = useQuery({
    queryKey: ['transfer-terms', from, item.id],
    queryFn: () => getTerms(item, from),
    enabled: sending === null && stored === null,
  })
  const transferId = terms.data?.transfer_id
  const found = stored ?? (transferId ? { transferId } : null)
  // Its page stays when it has ended and is forgotten.
  if (sending === null && found !== null) setSending(found)

  function begin(send: RememberedSend) {
    rememberSend(from, item.id, send)
    setSending(send)
  }
  const forget = () => rememberSend(from, item.id, null)
  function beginAgain() {
    forget()
    void terms.refetch().then(() => setSending(null))
  }

  const title = titleOf(item, locale)
  const progress = { viewer, network, onEnd: forget, onAgain: beginAgain }
  if (sending && 'transferId' in sending)
    return (
      <Sheet item={item}>
        <TransferProgress {...progress} send={sending} seller={item.organization.name} />
      </Sheet>
    )
  if (sending)
    return (
      <Sheet item={item}>
        <OwnSendProgress {...progress} send={sending} held={held} />
      </Sheet>
    )
  return (
    <Sheet item={item}>
      <Step level={1} title={<Sentence>{t.rich('title', { title, item: () => <Quoted>{title}</Quoted> })}</Sentence>}>
        {held === 0 ? (
          <Alert live title={t('gone')}>
            {t('goneLead')}
          </Alert>
        ) : terms.data ? (
          <Ways
            item={item}
            viewer={viewer}
            network={network}
            takesNames={takesNames}
            terms={terms.data}
            onSent={begin}
            onRefused={() => terms.refetch()}
          />
        ) : terms.isError ? (
          <Alert
            tone="warning"
            live
            action={<Button onClick={() => void terms.refetch()}>{tCommon('tryAgain')}</Button>}
          >
            {failureText(terms.error)}
          </Alert>
        ) : (
          <Spinner label={t('asking')} />
        )}
      </Step>
    </Sheet>
  )
}

function Sheet({ item, children }: { item: WalletItemInFull; children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-md grid-cols-[minmax(0,1fr)] gap-6 wrap-anywhere">
      <div className="w-28 overflow-hidden rounded-lg border bg-pane p-1.5 shadow-rest">
        <ItemPicture item={item} size="thumb" className="aspect-square w-full rounded-md" />
      </div>
      <div className="contents">{children}</div>
    </div>
  )
}

type WaysProps = Omit<SendFormProps, 'from' | 'network' | 'wallet'> & Pick<Props, 'viewer' | 'network'>

/** The form for the wallet that is there, or why there is none. */
function Ways(props: WaysProps) {
  const t = useTranslations('ownWallet.send')
  const { item, viewer, network, terms } = props
  if (!terms.transferable) return <Alert title={t('stays')}>{t('staysLead')}</Alert>
  if (viewer.kind === 'watched') return <Alert>{t('openFirst')}</Alert>
  if (!network) return <Alert tone="warning">{t('noNetwork')}</Alert>
  if (viewer.kind !== 'own')
    return (
      <BrowserWallets network={network}>
        <FromBrowser {...props} network={network} />
      </BrowserWallets>
    )
  if (terms.gas_payer === 'HOLDER' && !terms.signed) return <Alert title={t('needsApp')}>{t('needsAppLead')}</Alert>
  return <SendForm {...props} network={network} from={viewer.address} wallet={walletInPage(viewer.wallet.key, item)} />
}

function FromBrowser(props: WaysProps & { network: NetworkFacts }) {
  const t = useTranslations('ownWallet.send')
  const tConnect = useTranslations('wallet.connect')
  const { item, viewer } = props
  const config = useConfig()
  const connected = useConnectedWallet()
  if (connected === 'looking') return <Spinner label={tConnect('looking')} />
  if (!connected) return <ConnectButton label={t('connect')} />
  if (connected.address.toLowerCase() !== viewer.address.toLowerCase())
    return (
      <>
        <ConnectedWallet />
        <Alert tone="warning" live title={t('otherAccount')}>
          <Sentence>
            {t.rich('otherAccountLead', { address: () => <Address value={viewer.address} copy={false} /> })}
          </Sentence>
        </Alert>
      </>
    )
  return <SendForm {...props} from={viewer.address} wallet={walletOfBrowser(config, connected, item)} />
}
