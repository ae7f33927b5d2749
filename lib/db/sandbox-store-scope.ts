import type { PrismaClient } from '../../generated/prisma/client.ts'
import { systemClient } from './client.ts'
import { type Db, madeOnce, reach, retryingRaces, type Scope } from './scope.ts'

type SandboxStore = Pick<Scope, 'db' | 'transaction'>

const stores = new WeakMap<PrismaClient, SandboxStore>()

/** The tables of the sandbox's card provider and no others, since it is treated as a separate service. */
export const sandboxStoreScope = (): SandboxStore => madeOnce(stores, systemClient(), makeSandboxStore)

function makeSandboxStore(system: PrismaClient): SandboxStore {
  const client = system.$extends({
    name: 'sandbox store',
    query: {
      $allModels: {
        $allOperations({ model, args, query }) {
          if (!model.startsWith('Sandbox')) throw new Error(`${model} is not a table of the sandbox’s card provider.`)
          return query(args)
        },
      },
    },
  })
  return {
    db: client as unknown as Db,
    transaction: (work) => retryingRaces(() => client.$transaction((tx) => work(reach(tx, tx)))),
  }
}
