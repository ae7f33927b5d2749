import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/input'

type Props = {
  label: string
  name: string
  value: string | null | undefined
  /** Values and their words. */ options: readonly (readonly [value: string, words: string])[]
  any?: string
}

/** One of several to filter by, or any. */
export function Choice({ label, name, value, options, any = 'Any' }: Props) {
  return (
    <Field label={label}>
      <Select name={name} defaultValue={value ?? ''}>
        <option value="">{any}</option>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** What was chosen, in words. */
export const wordsFor = (options: Props['options'], value: string | null | undefined): string | undefined =>
  options.find(([each]) => each === value)?.[1]
