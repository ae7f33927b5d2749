import { useTranslations } from 'next-intl'
import type { Sort } from '@/lib/platform/api/list-sorts'
import { Choice } from '../forms/choice'

/** Chooses how a list is sorted, in its page's query. */
export function SortChoice({ value, sorts }: { value: Sort | null; sorts: readonly Sort[] }) {
  const t = useTranslations('dashboard.common.sort')
  return (
    <Choice
      label={t('by')}
      name="sort"
      value={value}
      options={sorts.map((sort) => [sort, t(sort)])}
      any={t('newest')}
    />
  )
}
