import type { ReactNode } from 'react'
import { Choices, Radio } from './checkbox'

type Option<Value extends string> = { value: Value; label: ReactNode; hint?: ReactNode; disabled?: boolean }

type Props<Value extends string> = {
  legend: ReactNode
  name: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** Shown below the options. */
  children?: ReactNode
}

/** A group of radios for one of several values. */
export function RadioChoices<Value extends string>({ legend, name, options, value, onChange, children }: Props<Value>) {
  return (
    <Choices legend={legend}>
      {options.map((option) => (
        <Radio
          {...option}
          key={option.value}
          name={name}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
      ))}
      <div className="contents">{children}</div>
    </Choices>
  )
}
