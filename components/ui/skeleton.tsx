import { classes } from './classes'

/** A placeholder for loading content; its size comes from `className`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classes('animate-breathe rounded-md bg-line/70', className)} />
}
