import type { Cards } from '../../lib/ports/cards/cards.ts'
import { sandboxCards } from '../../lib/ports/cards/sandbox.ts'
import { type Post } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { allSandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'
import { handleSandboxRequest } from '../../lib/ports/sandbox-cards/provider.ts'
import { cardEventContext } from '../../lib/platform/auth/narrow-contexts.ts'
import { receiveCardEvent } from '../../lib/selling/payments/receive-card-event.ts'
import { newId } from '../../lib/core/id.ts'
import { currentActor, type Scheduler } from './scheduler.ts'

const CARD_FAULTS = ['call to the card provider lost', 'answer of the card provider lost']
const EVENT_FAULTS = ['card event lost', 'answer to a card event lost', 'card event doubled']

/** The built-in card provider, with an unreliable line to it. */
export function makeCards(scheduler: Scheduler): Cards {
  const [keys, ...earlierKeys] = allSandboxKeys()
  return sandboxCards({
    keys: keys!,
    earlierKeys,
    handle: async (request) => {
      const actor = currentActor()
      const what = `card provider ${request.method} ${new URL(request.url).pathname}`
      const fault = actor ? await scheduler.ask(actor, what, CARD_FAULTS) : null
      if (fault === 'call to the card provider lost') throw new TypeError('fetch failed')
      const answer = await handleSandboxRequest(request)
      if (fault === 'answer of the card provider lost') throw new TypeError('fetch failed')
      return answer
    },
  })
}

/** How the provider's events reach us: late, not at all, or twice. */
export const postEvents =
  (scheduler: Scheduler): Post =>
  async (_, { headers, body }) => {
    const actor = currentActor()
    const fault = actor ? await scheduler.ask(actor, 'card event', EVENT_FAULTS) : null
    if (fault === 'card event lost') return { ok: false }
    const receive = () =>
      receiveCardEvent(cardEventContext({ requestId: newId(), clientAddress: '127.0.0.1' }), {
        adapter: 'SANDBOX',
        body,
        signature: headers['stripe-signature'] ?? '',
      })
    await receive()
    if (fault === 'card event doubled') await receive()
    return { ok: fault !== 'answer to a card event lost' }
  }
