import { useTranslations } from 'next-intl'
import { Quoted } from '@/components/ui/quoted'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listItemPerks } from '@/lib/platform/api/perks'

export type PublicPerk = Answer<typeof listItemPerks>['results'][number]

/**
 * The perks for holders of an item, by their titles, and what a buyer has to know of codes. `isUnique`: there is one
 * unit of the item for sure.
 */
export function HoldersGet({ perks, isUnique = false }: { perks: readonly PublicPerk[]; isUnique?: boolean }) {
  const t = useTranslations('published.perks')
  return (
    <section aria-labelledby="holders-get" className="grid gap-3 rounded-md border bg-pane p-4">
      <h2 id="holders-get" className="font-medium">
        {t('title')}
      </h2>
      <ul className="grid gap-2">
        {perks.map((perk) => (
          <li key={perk.id} className="border-s-2 border-glass ps-3">
            <Quoted className="wrap-anywhere">{perk.title}</Quoted>
            {perk.kind === 'CODES' && <Codes perk={perk} isUnique={isUnique} />}
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">{t('note')}</p>
    </section>
  )
}

/** How many codes there are, and who gets one. */
function Codes({ perk, isUnique }: { perk: PublicPerk; isUnique: boolean }) {
  const t = useTranslations('published.perks')
  const { codes_given: given, codes_left: left } = perk
  function sentence(): string {
    if (isUnique && given) return t('codeGiven')
    if (left === 0) return t('codesGone')
    if (isUnique) return t('code')
    return given ? t('codesGiven', { left: left!, given }) : t('codes', { left: left! })
  }
  return <span className="block text-sm text-muted">{sentence()}</span>
}
