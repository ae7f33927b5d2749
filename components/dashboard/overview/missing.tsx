import { Alert } from '@/components/ui/alert'

type Missing = { what: string; blocks: boolean; detail: string }

/** What the installation still lacks, what a gift waits for first. */
export function MissingList({ missing }: { missing: Missing[] }) {
  if (missing.length === 0) return null
  const blocks = missing.some((each) => each.blocks)
  return (
    <Alert tone={blocks ? 'warning' : 'info'} title={blocks ? 'Before a gift arrives' : 'Good to know'}>
      <ul className="grid gap-1">
        {missing
          .toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
          .map(({ what, detail }) => (
            <li key={`${what} ${detail}`} className="wrap-anywhere">
              {detail}
            </li>
          ))}
      </ul>
    </Alert>
  )
}
