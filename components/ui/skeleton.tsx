import { classes } from './classes'

/** Holds the place of something that is loading; give it its size by class. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classes('animate-breathe rounded-md bg-line/70', className)} />
}
