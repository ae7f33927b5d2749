import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes'

type ChoiceProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** A checkbox with its label and an optional hint; the whole row is clickable. */
export function Checkbox(props: ChoiceProps) {
  return <Choice {...props} type="checkbox" />
}

/** One of several with the same `name`; put them into a `Choices`. */
export function Radio(props: ChoiceProps) {
  return <Choice {...props} type="radio" />
}

function Choice({ label, hint, className, type, ...rest }: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  return (
    <label
      className={classes(
        'flex min-h-8 cursor-pointer items-start gap-3 text-sm has-disabled:cursor-not-allowed',
        className,
      )}
    >
      <input {...rest} type={type} className="mt-0.5 size-4.5 shrink-0 accent-glass" />
      <span>
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-muted">{hint}</span>}
      </span>
    </label>
  )
}

/** A named group of radios or checkboxes. */
export function Choices({
  legend,
  children,
  className,
}: {
  legend: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <fieldset className={classes('grid gap-2', className)}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="contents">{children}</div>
    </fieldset>
  )
}
