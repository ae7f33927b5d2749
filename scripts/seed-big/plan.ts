/** How many rows there are at a scale. 1: an organization with a million items beside 300 small ones. */
export type Plan = {
  collections: Collection[]
  smallOrganizations: number
  addresses: number
  editionUnits: number
  /** Of 1,000 units of other items. */
  transfers: number
  events: number
  mails: number
  auditEntries: number
  allowances: number
}

type Kind = 'BIG' | 'EDITIONS' | 'REVEALED' | 'HIDDEN' | 'DRAFT' | 'PRIVATE' | 'EXTERNAL' | 'PLAIN'
/** `organization` 0 is the big one. */
type Collection = { organization: number; kind: Kind; size: number }

const SMALL_SIZE = 40

export function planOf(scale: number): Plan {
  const of = (rows: number, least = 1) => Math.max(least, Math.round(rows * scale))
  const count = of(200, 12)
  const items = of(1_000_000)
  const special: [Kind, number][] = [
    ['BIG', of(200_000)],
    ['EDITIONS', of(1_000, 10)],
    ['REVEALED', of(20_000)],
  ]
  const left = items - special.reduce((sum, [, size]) => sum + size, 0)
  const size = Math.ceil(left / (count - special.length))
  const kindOf = (at: number): Kind =>
    (['HIDDEN', 'DRAFT', 'PRIVATE'] as const)[at] ?? (at % 4 === 3 ? 'EXTERNAL' : 'PLAIN')
  const smallOrganizations = of(300, 3)
  return {
    collections: [
      ...special.map(([kind, size]) => ({ organization: 0, kind, size })),
      ...Array.from({ length: count - special.length }, (_, at) => ({ organization: 0, kind: kindOf(at), size })),
      ...Array.from({ length: smallOrganizations }, (_, at) => ({
        organization: at + 1,
        kind: 'PLAIN' as const,
        size: SMALL_SIZE,
      })),
    ],
    smallOrganizations,
    addresses: of(300_000, count + smallOrganizations + 100),
    editionUnits: of(206_000),
    transfers: 313,
    events: of(1_000_000),
    mails: of(300_000),
    auditEntries: of(500_000),
    allowances: of(100_000),
  }
}
