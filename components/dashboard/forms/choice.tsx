import { useTranslations } from 'next-intl'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'

type Props = {
  label: string
  name: string
  value: string | null | undefined
  /** Values and their labels. */
  options: readonly (readonly [value: string, label: string])[]
  any?: string
}

/** A select for one of several values, or any. */
export function Choice({ label, name, value, options, any }: Props) {
  const t = useTranslations('dashboard.common')
  return (
    <Field label={label}>
      <Select name={name} defaultValue={value ?? ''}>
        <option value="">{any ?? t('any')}</option>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** The label of a value. */
export const wordsFor = (options: Props['options'], value: string | null | undefined): string | undefined =>
  options.find(([each]) => each === value)?.[1]
