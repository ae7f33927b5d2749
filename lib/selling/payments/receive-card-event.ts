import { inTransaction, type ModelsContext } from '../../platform/auth/context.ts'
import type { CardAdapterName } from '../../ports/cards/cards.ts'
import { CardEventRefused } from '../../ports/cards/cards.ts'
import { realNow } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { processCardEvent } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'

/**
 * Receives a card provider's event: checks its signature, and stores it with the job that processes it. A repeated
 * event changes nothing.
 */
export async function receiveCardEvent(
  provider: ModelsContext<'cardEvent'>,
  input: { adapter: CardAdapterName; body: string; signature: string },
): Promise<void> {
  const cards = provider.ports.cards.known.find(({ adapter }) => adapter === input.adapter)
  if (!cards) throw notFound()
  let event
  try {
    event = cards.readEvent(input.body, input.signature, realNow())
  } catch (error) {
    if (error instanceof CardEventRefused) throw new AppError('invalid_request', error.message, { cause: error })
    throw error
  }
  crashPoint('event_received')
  await inTransaction(provider, async (tx) => {
    const { count } = await tx.db.cardEvent.createMany({
      data: [
        {
          id: event.id,
          adapter: cards.adapter,
          accountId: event.accountId,
          type: event.type,
          livemode: event.livemode,
          payload: event.about,
          createdAt: tx.now(),
        },
      ],
      skipDuplicates: true,
    })
    if (count > 0) await enqueue(tx, processCardEvent, { event_id: event.id }, { key: event.id })
  })
}
