import { useLocale, useTranslations } from 'next-intl'
import { ItemCase } from '@/components/claim/item-case'
import { ItemArt } from '@/components/ui/art'
import { ItemPicture } from '@/components/ui/picture'
import { Quoted, writingOf } from '@/components/ui/quoted'
import type { Subject } from './subject'

/** The subject of a sale, large: an item, or up to four items of a collection. */
export function SubjectCase({ subject, quantity = 1 }: { subject: Subject; quantity?: number }) {
  const t = useTranslations('order')
  const locale = useLocale()
  const [first] = subject.pictures
  if (subject.kind === 'item' && first) return <ItemCase item={first} quantity={quantity} />
  return (
    <figure className="grid gap-6">
      <div className="rounded-lg border bg-pane p-3 shadow-lift sm:p-5">
        {subject.pictures.length > 1 ? (
          <div className="grid grid-cols-2 gap-2 sm:gap-3">
            {subject.pictures.slice(0, subject.pictures.length < 4 ? 2 : 4).map((item, at) => (
              <div key={at} className="overflow-hidden rounded-md bg-well">
                <ItemPicture item={item} size="thumb" className="aspect-square w-full" />
              </div>
            ))}
          </div>
        ) : (
          <div className="overflow-hidden rounded-md bg-well">
            {first ? (
              <ItemPicture item={first} className="max-h-[70dvh] w-full" />
            ) : (
              <ItemArt title={subject.title} colours={[]} className="aspect-square max-h-[70dvh] w-full" />
            )}
          </div>
        )}
      </div>
      <figcaption className="grid gap-3 border-s-2 border-glass ps-4">
        {subject.kind === 'collection' && <p className="label-caps text-muted">{t('fromCollection')}</p>}
        <h1 className="text-2xl font-medium wrap-anywhere sm:text-3xl">
          <Quoted>{subject.title}</Quoted>
          {quantity > 1 && <span className="text-muted">{` × ${quantity}`}</span>}
        </h1>
        {subject.description && (
          <p {...writingOf(subject.description, locale)} className="max-w-prose whitespace-pre-line text-muted">
            {subject.description}
          </p>
        )}
      </figcaption>
    </figure>
  )
}

/** The case while its picture loads: its size and its title. */
export function LoadingCase({ title }: { title: string }) {
  return (
    <figure className="grid gap-6">
      <div className="rounded-lg border bg-pane p-3 shadow-lift sm:p-5">
        <div className="aspect-square max-h-[70dvh] w-full rounded-md bg-well" />
      </div>
      <figcaption className="border-s-2 border-glass ps-4">
        <h1 className="text-2xl font-medium wrap-anywhere sm:text-3xl">
          <Quoted>{title}</Quoted>
        </h1>
      </figcaption>
    </figure>
  )
}
