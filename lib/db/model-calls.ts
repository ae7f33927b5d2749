import { type Prisma } from '../../generated/prisma/client.ts'
import { type Args, OWNER } from './confine.ts'

const MODELS: ReadonlyMap<string | symbol, Prisma.ModelName> = new Map(
  (Object.keys(OWNER) as Prisma.ModelName[]).map((model) => [`${model[0]!.toLowerCase()}${model.slice(1)}`, model]),
)

type Delegate = Record<string, (args: object) => PromiseLike<unknown>>

/** The client with `call` in place of its model calls. Prisma's own `$extends` isn't there inside a transaction. */
export function withModelCalls(
  client: object,
  call: (delegate: Delegate, model: Prisma.ModelName, operation: string, args: Args) => PromiseLike<unknown>,
): Prisma.TransactionClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      const model = MODELS.get(name)
      if (!model) return value
      const delegate = value as Delegate
      return new Proxy(delegate, {
        get:
          (_, operation) =>
          (args: Args = {}) =>
            call(delegate, model, String(operation), args),
      })
    },
  }) as Prisma.TransactionClient
}
