import type { Prisma } from '../../generated/prisma/client.ts'
import { confineTo } from './confine.ts'
import { withModelCalls } from './model-calls.ts'
import { type Db, type Scope, type SystemReach, systemScope } from './scope.ts'

// Scopes that belong to no organization, for ways in that need little of what `systemScope` sees.

/** A model as a client names it. */
export type Model = Uncapitalize<Prisma.ModelName>

/** Every organization's rows of a few models. A statement can only be given whose answer nobody sees. */
export type ModelsReach<M extends Model> = Pick<SystemReach, 'later'> & { db: Pick<Db, M> }

export type ModelsScope<M extends Model> = ModelsReach<M> & {
  transaction: <T>(work: (reach: ModelsReach<M>) => Promise<T>) => Promise<T>
}

export function modelsScope<M extends Model>(models: readonly M[]): ModelsScope<M> {
  const system = systemScope()
  const narrowed = ({ db, later }: SystemReach): ModelsReach<M> => ({ db: only(db, models), later })
  return { ...narrowed(system), transaction: (work) => system.transaction((reach) => work(narrowed(reach))) }
}

const only = <M extends Model>(db: Db, models: readonly M[]): Pick<Db, M> =>
  Object.fromEntries(models.map((model) => [model, db[model]])) as Pick<Db, M>

/** The column of a person's own rows that says whose they are. */
const OF_PERSON = { User: 'id', Session: 'userId', Passkey: 'userId' } as const satisfies Partial<
  Record<Prisma.ModelName, string>
>

/** A membership of a person. */
type Membership = { id: string; organizationId: string }

/** A person's own rows, and those of the organizations that they have joined. */
export type PersonReach = ModelsReach<Uncapitalize<keyof typeof OF_PERSON>> & {
  /** Runs `work` in each of these organizations, or in `organizationId` alone, one after another. */
  inJoined: (work: (scope: Scope, membership: Membership) => Promise<void>, organizationId?: string) => Promise<void>
}

export type PersonScope = PersonReach & {
  transaction: <T>(work: (reach: PersonReach) => Promise<T>) => Promise<T>
}

export function personScope(userId: string): PersonScope {
  const system = systemScope()
  const narrowed = (reach: SystemReach): PersonReach => ({
    db: only(ownRows(reach.db, userId), ['user', 'session', 'passkey']),
    later: reach.later,
    async inJoined(work, organizationId) {
      const members = await reach.db.member.findMany({
        where: { userId, organizationId, removedAt: null, joinedAt: { not: null } },
        orderBy: { organizationId: 'asc' },
        select: { id: true, organizationId: true },
      })
      for (const member of members) await reach.within(member.organizationId, (scope) => work(scope, member))
    },
  })
  return { ...narrowed(system), transaction: (work) => system.transaction((reach) => work(narrowed(reach))) }
}

const ownRows = (db: Db, userId: string): Db =>
  withModelCalls(db, async (delegate, model, operation, args) =>
    delegate[operation]!(
      confineTo({ column: OF_PERSON[model as keyof typeof OF_PERSON], id: userId }, model, operation, args),
    ),
  )
