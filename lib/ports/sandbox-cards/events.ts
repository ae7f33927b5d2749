import type { Books } from './books.ts'
import { sandboxId } from './keys.ts'

/** Notes, in the transaction of its cause, that the platform is to be told of something that happened on an account. */
export async function noteEvent(books: Books, accountId: string, type: string, object: object): Promise<void> {
  await books.db.sandboxEvent.create({
    data: {
      id: sandboxId('evt'),
      accountId,
      type,
      payload: object,
      nextAt: books.now(),
      createdAt: books.now(),
    },
  })
}
