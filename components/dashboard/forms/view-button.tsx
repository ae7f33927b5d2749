import { classes } from '@/components/ui/classes'

type ViewButtonProps = { current: boolean; onClick: () => void; children: string }

/** Chooses one of several views of what a form edits. */
export function ViewButton({ current, onClick, children }: ViewButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={current}
      onClick={onClick}
      className={classes(
        'min-h-8 rounded-sm px-3 text-sm font-medium transition-colors',
        current ? 'bg-glass-soft text-glass' : 'text-muted hover:bg-well hover:text-ink',
      )}
    >
      {children}
    </button>
  )
}
