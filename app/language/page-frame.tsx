import type { ReactNode } from 'react'
import { getLocale } from 'next-intl/server'
import { Frame } from '@/components/shared/frame'
import { LanguageSwitch } from '@/components/shared/language-switch'
import { PageLanguage } from '@/components/shared/page-language'
import type { SellerFacts } from '@/components/shared/seller'
import { dirOf } from '@/lib/core/locales'
import { chooseLanguage } from './choose-language'
import { pageSpeaks } from './locale-of-page'
import { type Part, Texts } from './texts'

type Props = {
  seller?: SellerFacts | null
  /** The parts of the texts that its client components use. */
  texts?: readonly Part[]
  children: ReactNode
}

/** A recipient's or buyer's page in its language, with a switch to the others. */
export async function PageFrame({ seller = null, texts, children }: Props) {
  const locale = await getLocale()
  return (
    <Texts {...(texts && { of: texts })}>
      <PageLanguage locale={locale} dir={dirOf(locale)} />
      <Frame seller={seller} language={(await pageSpeaks()) && <LanguageSwitch choose={chooseLanguage} />}>
        {children}
      </Frame>
    </Texts>
  )
}
