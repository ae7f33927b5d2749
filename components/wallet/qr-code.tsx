import { encode } from 'uqr'
import { classes } from '@/components/ui/classes'

/** A QR code, dark on light in both themes, as scanners expect. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const dots = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={classes('rounded-sm', className)}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#0d1211" />
    </svg>
  )
}
