import type { Answer } from '@/lib/platform/api/endpoint'
import type { listItemPerks } from '@/lib/platform/api/perks'

export type PublicPerk = Answer<typeof listItemPerks>['results'][number]

/** What whoever holds an item gets besides, by its titles, and what a buyer has to know of codes. `isUnique`: there is one unit of it for sure. */
export function HoldersGet({ perks, isUnique = false }: { perks: readonly PublicPerk[]; isUnique?: boolean }) {
  return (
    <section aria-labelledby="holders-get" className="grid gap-3 rounded-md border bg-pane p-4">
      <h2 id="holders-get" className="font-medium">
        Who holds it also gets
      </h2>
      <ul className="grid gap-2">
        {perks.map((perk) => (
          <li key={perk.id} className="border-l-2 border-glass pl-3">
            <span dir="auto" className="wrap-anywhere">
              {perk.title}
            </span>
            {perk.kind === 'CODES' && <span className="block text-sm text-muted">{codesSentence(perk, isUnique)}</span>}
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">Only the present holder sees it, in their wallet.</p>
    </section>
  )
}

function codesSentence({ codes_given: given, codes_left: left }: PublicPerk, isUnique: boolean): string {
  if (isUnique && given) return 'A code, which was given to a holder already. A later holder gets none.'
  if (left === 0) return 'A code. All codes are gone.'
  if (isUnique) return 'A code, which is given once: to the first holder who asks for it.'
  const known = given ? ` For ${given.toLocaleString('en')} of its units that was done.` : ''
  return `A code for each unit, given once; ${left!.toLocaleString('en')} are left.${known} A unit that changes hands after that brings none.`
}
