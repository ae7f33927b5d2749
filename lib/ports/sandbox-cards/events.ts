import type { SandboxStore } from './store.ts'
import { sandboxId } from './keys.ts'

/** Notes, in the transaction of its cause, that the platform is to be told of something that happened on an account. */
export async function recordSandboxEvent(
  store: SandboxStore,
  accountId: string,
  type: string,
  object: object,
): Promise<void> {
  await store.db.sandboxEvent.create({
    data: {
      id: sandboxId('evt'),
      accountId,
      type,
      payload: object,
      nextAt: store.now(),
      createdAt: store.now(),
    },
  })
}
