import type { CSSProperties, ReactNode } from 'react'
import { BadgeCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { classes } from '@/components/ui/classes'
import { Quoted } from '@/components/ui/quoted'
import { Sentence } from '@/components/ui/sentence'
import type { Accents } from '@/lib/core/contrast'

/** The facts about an organization that recipients and buyers see. */
export type SellerFacts = {
  id: string
  name: string
  logo_url: string | null
  accents: Accents | null
  domain: string | null
  termsUrl: string | null
  contactEmail: string | null
  contactShown: string | null
  showsVitrine: boolean
}

type LookProps = { seller: SellerFacts | null; className?: string; children: ReactNode }

/** Gives what is inside the organization's colour. */
export function SellerLook({ seller, className, children }: LookProps) {
  if (!seller?.accents) return <div className={className}>{children}</div>
  const { light, dark, press, pressInk } = seller.accents
  const colours = {
    '--seller-light': light.strong,
    '--seller-light-soft': light.soft,
    '--seller-dark': dark.strong,
    '--seller-dark-soft': dark.soft,
    '--seller-press': press,
    '--seller-press-ink': pressInk,
  }
  return (
    <div data-seller="" style={colours as CSSProperties} className={className}>
      {children}
    </div>
  )
}

/** Whose page it is: logo, name and the domain that its owner confirmed. */
export function SellerHeader({ seller }: { seller: SellerFacts }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      {seller.logo_url && (
        <span data-logo="" className="shrink-0 rounded-sm">
          {/* eslint-disable-next-line @next/next/no-img-element -- already sized and encoded by us. */}
          <img src={pathOf(seller.logo_url)} alt="" className="max-h-8 w-auto max-w-28 object-contain" />
        </span>
      )}
      <p className="min-w-0 text-sm leading-tight">
        <span className="line-clamp-2 font-medium wrap-anywhere">
          <Quoted>{seller.name}</Quoted>
        </span>
        {seller.domain && <Domain name={seller.domain} />}
      </p>
    </div>
  )
}

/** Who sells, in a list of facts. */
export function SellerFact({ seller }: { seller: Pick<SellerFacts, 'name' | 'domain'> }) {
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 wrap-anywhere">
      <Quoted>{seller.name}</Quoted>
      {seller.domain && <Domain name={seller.domain} />}
    </span>
  )
}

/** Who sells, their terms and where to ask, where nothing else of the page says so. */
export function SellerLine({ seller }: { seller: SellerFacts }) {
  const t = useTranslations('common')
  return (
    <p className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      <span className="inline-flex flex-wrap items-center gap-x-1.5 wrap-anywhere">
        <Sentence>
          {t.rich('soldBy', { name: seller.name, seller: () => <Quoted className="text-ink">{seller.name}</Quoted> })}
        </Sentence>
        {seller.domain && <Domain name={seller.domain} />}
      </span>
      <SellerLinks seller={seller} />
    </p>
  )
}

export function SellerFooter({ seller }: { seller: SellerFacts }) {
  const t = useTranslations('common')
  return (
    <>
      <SellerLinks seller={seller} />
      {seller.showsVitrine && <span className="ms-auto">{t('viaVitrine')}</span>}
    </>
  )
}

export function SellerLinks({ seller: { termsUrl, contactEmail, contactShown } }: { seller: SellerFacts }) {
  const t = useTranslations('common')
  const look = 'rounded-sm hover:text-ink wrap-anywhere'
  return (
    <>
      {termsUrl && (
        <a href={termsUrl} target="_blank" rel="noreferrer noopener" className={classes(look, 'underline')}>
          {t('terms')}
        </a>
      )}
      {contactEmail && (
        <a href={`mailto:${contactEmail}`} className={classes(look, 'underline')}>
          {contactShown}
        </a>
      )}
    </>
  )
}

function Domain({ name }: { name: string }) {
  const t = useTranslations('common')
  return (
    <span className="flex items-center gap-1 text-muted">
      <BadgeCheck aria-hidden="true" className="size-3.5 shrink-0 text-glass" />
      <span className="wrap-anywhere">{name}</span>
      <span className="sr-only">{t('confirmedDomain')}</span>
    </span>
  )
}

/** Pages show our own copy by its path, wherever they are served from. */
const pathOf = (address: string): string => new URL(address, 'http://localhost').pathname
