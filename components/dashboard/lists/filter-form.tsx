import type { ReactNode } from 'react'
import { Field } from '@/components/ui/field'
import { Input, type InputProps } from '@/components/ui/input'
import { Choice, wordsFor } from '../forms/choice'
import { Filters } from './filters'

type Value = string | string[] | null | undefined

/**
 * A filter of a list: a choice between `options`, a field that is typed into, or (without either) one that only links
 * set.
 */
export type Filter<Name extends string = string> = {
  /** In the query. */
  name: Name
  label: string
  /** Names its control where that says more. */
  field?: string
  options?: readonly (readonly [value: string, label: string])[]
  /** The choice of none. */
  any?: string
  input?: Omit<InputProps, 'name' | 'defaultValue'>
  /** Its value's label; that of the option or the value itself unless given. */
  shown?: ReactNode
}

const valueOf = (query: object, name: string) => (query as Record<string, Value>)[name]

/** The values that filters have in a query. */
export const valuesOf = (filters: readonly Filter[], query: object): Record<string, Value> =>
  Object.fromEntries(filters.map(({ name }) => [name, valueOf(query, name)]))

/** The filters that narrow a list, with a label for each of their values. */
export const givenOf = (filters: readonly Filter[], query: object) =>
  filters.flatMap(({ name, label, options = [], shown }) =>
    [valueOf(query, name) ?? []]
      .flat()
      .filter(Boolean)
      .map((value) => ({ name, label, value, shown: shown ?? wordsFor(options, value) ?? value })),
  )

/** A form with the controls of filters; those without one keep their value. */
export function FilterForm({ path, filters, query }: { path: string; filters: readonly Filter[]; query: object }) {
  return (
    <Filters path={path} active={givenOf(filters, query).length > 0}>
      {filters.map(({ name, label, field = label, options, any, input }) => {
        const [value] = [valueOf(query, name) ?? []].flat()
        if (options) return <Choice key={name} label={field} name={name} value={value} options={options} any={any} />
        if (!input) return value && <input key={name} type="hidden" name={name} value={value} />
        return (
          <Field key={name} label={field}>
            <Input name={name} type="search" defaultValue={value ?? ''} {...input} />
          </Field>
        )
      })}
    </Filters>
  )
}
