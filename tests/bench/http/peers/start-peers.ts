import { startMedusa } from './medusa.ts'
import { type Peer, PER_LIST, type Question, SOME_ITEMS, SOME_LISTS } from './peer.ts'
import { startVendure } from './vendure.ts'

/** Starts the other shops, each with a database beside the given one, and asks each of them both questions once. */
export async function startPeers(databaseUrl: string): Promise<Peer[]> {
  const peers = [await startVendure(databaseUrl), await startMedusa(databaseUrl)]
  for (const peer of peers) await assertRightItems(peer)
  return peers
}

/** Throws unless the last request of each question is answered with what it asks for. */
export async function assertRightItems(peer: Peer): Promise<void> {
  for (const question of ['item', 'list'] as const) assertTitles(peer, question, await titles(peer, question))
}

async function titles({ name, side, questions, titlesOf }: Peer, question: Question): Promise<string[]> {
  const { method, path, headers, body } = questions[question].at(-1)!
  const response = await fetch(`${side.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text}`)
  return titlesOf(JSON.parse(text), question)
}

function assertTitles({ name }: Peer, question: Question, found: readonly string[]): void {
  const first = question === 'item' ? SOME_ITEMS.at(-1)! : (SOME_LISTS.at(-1)! - 1) * PER_LIST + 1
  const wanted = Array.from({ length: question === 'item' ? 1 : PER_LIST }, (_, at) => `Item ${first + at}`)
  if (found.toSorted().join() !== wanted.toSorted().join())
    throw new Error(`${name} gave other items than it was asked for: ${found.slice(0, 3).join(', ')} …`)
}
