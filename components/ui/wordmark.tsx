import { classes } from './classes'

/** The product's name and logo. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={classes('inline-flex items-center gap-2 font-medium tracking-tight', className)}>
      <svg
        viewBox="0 0 20 20"
        className="size-5 text-glass"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M3 6.2 7 3h10v10.6L13 17H3z" />
        <path d="M3 6.2h10V17M13 6.2 17 3" />
        <circle cx="8" cy="11.6" r="1.9" fill="currentColor" stroke="none" />
      </svg>
      Vitrine
    </span>
  )
}
