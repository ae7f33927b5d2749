import { classes } from './classes'
import { Input, type InputProps } from './input'

/** An input for an address of a network: from left to right, and neither filled in nor corrected by the browser. */
export function AddressInput({ className, ...rest }: InputProps) {
  return (
    <Input
      dir="ltr"
      placeholder="0x…"
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      className={classes('figures', className)}
    />
  )
}
