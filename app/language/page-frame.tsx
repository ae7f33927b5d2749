import type { ComponentType, ReactNode } from 'react'
import { getLocale } from 'next-intl/server'
import { Frame, type FrameProps } from '@/components/shared/frame'
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
  /** The layout, where it isn't the usual one. */
  frame?: ComponentType<FrameProps>
  /** Hidden fields that are sent with the choice of a language. */
  withChoice?: ReactNode
  children: ReactNode
}

/** A recipient's or buyer's page in its language, with a switch to the others. */
export async function PageFrame({ seller = null, texts, frame: Layout = Frame, withChoice, children }: Props) {
  const locale = await getLocale()
  return (
    <Texts {...(texts && { of: texts })}>
      <PageLanguage locale={locale} dir={dirOf(locale)} />
      <Layout
        seller={seller}
        language={(await pageSpeaks()) && <LanguageSwitch choose={chooseLanguage}>{withChoice}</LanguageSwitch>}
      >
        {children}
      </Layout>
    </Texts>
  )
}
