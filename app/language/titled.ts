import type { Metadata } from 'next'
import type { MessageKeys, Messages, NamespaceKeys, NestedKeyOf, NestedValueOf } from 'next-intl'
import { getTranslations } from 'next-intl/server'

type Namespace = NamespaceKeys<Messages, NestedKeyOf<Messages>>
type KeyOf<N extends Namespace> = MessageKeys<NestedValueOf<Messages, N>, NestedKeyOf<NestedValueOf<Messages, N>>>

/** The `generateMetadata` of a page whose title is a text of the catalogues. */
export const titled =
  <const N extends Namespace>(namespace: N, key: KeyOf<N>, more: Metadata = {}) =>
  async (): Promise<Metadata> => {
    // Its type asks for the values of a text that isn't known here.
    const t = (await getTranslations(namespace)) as unknown as (key: string) => string
    return { title: t(key), ...more }
  }
