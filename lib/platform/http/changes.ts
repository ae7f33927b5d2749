import { createHash } from 'node:crypto'
import { now } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { asOrganization, rowsOfEach } from '../../db/rows-of-each.ts'
import { call, type Statement, type Value } from '../../db/statements.ts'
import type { Context } from '../auth/context.ts'
import { forEach } from './hot/hot-read.ts'
import { longPoll } from './long-poll.ts'

/** The subject of an open page; equal keys have the same version. */
type Key = readonly Value[]
/** Reads the versions of many keys at once, in their order; null where there is nothing to show any more. */
type AskVersions<K extends Key> = (keys: readonly K[]) => Promise<readonly (string | null)[]>
type Waited<K> = { key: K; version: string; client: string }

/** Many people may share a client's address, and each has a page or two open. */
const MOST_OF_CLIENT = 50
const MOST = 500

/**
 * Lets open pages wait for changes of one kind of thing. The process asks once a second for all that its pages show,
 * each thing once, and none of them has a connection meanwhile.
 */
export function changesOf<K extends Key>(name: string, askVersions: AskVersions<K>) {
  const ask: AskVersions<K> = async (keys) => (await askVersions(keys)).map((version) => version && hashOf(version))
  const waiting = longPoll<Waited<K>, string>(`changes of ${name}`, async (waiters) => {
    const groups = [...Map.groupBy(waiters, ({ key }) => JSON.stringify(key)).values()]
    const versions = await ask(groups.map(([first]) => first!.key))
    for (const [at, group] of groups.entries()) {
      const version = versions[at] ?? null
      for (const waiter of group) {
        if (version === null) waiter.end(null, notFound())
        else if (version !== waiter.version) waiter.end(version)
      }
    }
  })

  /**
   * The version of what a page shows: at once where it isn't the one the page has seen, else when it changes, or the
   * same after so many seconds. Throws `not_found`, and `rate_limited` or `overloaded` where too many wait.
   */
  return async (ctx: Context, key: K, { after, wait }: { after?: string | null | undefined; wait: number }) => {
    const version = (await ask([key]))[0] ?? null
    if (version === null) throw notFound()
    if (wait === 0 || after !== version) return { version }
    const client = clientNetwork(ctx.clientAddress)
    const ofClient = [...waiting.waiters].filter((each) => each.client === client)
    if (ofClient.length >= MOST_OF_CLIENT)
      throw new AppError('rate_limited', `${MOST_OF_CLIENT} pages wait for changes from where you are already.`, {
        retryAfterSeconds: wait,
      })
    if (waiting.waiters.size >= MOST)
      throw new AppError('overloaded', 'Too many pages wait for changes right now. Ask again now and then.', {
        retryAfterSeconds: wait,
      })
    ctx.endTurn?.()
    return { version: (await waiting.wait({ key, version, client }, wait, ctx.signal)) ?? version }
  }
}

/** A version names rows and settings that the page doesn't show. */
const hashOf = (version: string): string => createHash('sha256').update(version).digest('base64url')

/** Something of an organization: whose it is, and what it is found by. */
export type OwnedKey = readonly [organizationId: string, ...key: Value[]]

/**
 * The statement that reads versions of what organizations own, and how it is asked: as each organization, all in one
 * round trip. `key` names what the keys hold and their types; in `query` they are `asked`, and `asked.moment` is the
 * time.
 */
export function askOwned<K extends OwnedKey>(name: string, key: Record<string, string>, query: string): AskVersions<K> {
  const statement: Statement = { name, text: forEach({ ...key, moment: 'timestamptz' }, query) }
  return async (keys) => {
    const moment = now()
    const groups = [...Map.groupBy(keys, ([organizationId]) => organizationId)]
    const asked = groups.map(([organizationId, ofIt]) => {
      const values = Object.keys(key).map((_, part) => ofIt.map((each) => each[part + 1]!))
      return {
        as: asOrganization(organizationId),
        calls: [
          call(
            statement,
            ...values,
            ofIt.map(() => moment),
          ),
        ],
      }
    })
    const answers = await rowsOfEach(asked)
    const versions = new Map<K, string>()
    for (const [group, [, ofIt]] of groups.entries())
      for (const { at, version } of answers[group]![0] as { at: number; version: string }[])
        versions.set(ofIt[at - 1]!, version)
    return keys.map((each) => versions.get(each) ?? null)
  }
}
