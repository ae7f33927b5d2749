import type { SandboxStore } from './store.ts'
import { sandboxId } from './keys.ts'

/** Records an event about an account for delivery to the platform. Call it in the transaction of its cause. */
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
