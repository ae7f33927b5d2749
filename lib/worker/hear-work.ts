import { log } from '../core/log.ts'
import { type Hearing, hearOfWork } from '../db/work-channel.ts'
import { loop } from './loop.ts'

/** How often this worker sends itself an echo. Without one for three times as long it counts as deaf. */
const ECHO_MS = 5_000
const DEAF_MS = 3 * ECHO_MS
/** A pooler may be taken away. */
const POOLED_MS = 60_000

const POOLED =
  'DATABASE_URL leads to a pooler, so that this worker doesn’t hear of work: it looks four times a second. ' +
  'Set LISTEN_DATABASE_URL to PostgreSQL’s own address.'

/**
 * Has `wake` called when another process tells of work. `hears`: whether notifications arrive at the moment. A
 * connection that is lost, or lets no echo through, is opened anew.
 */
export function hearWork(
  id: string,
  signal: AbortSignal,
  wake: () => void,
): { hears: () => boolean; ended: Promise<void> } {
  let hearing: Hearing | null = null
  let openedMs = 0
  let isPooled = false

  const lastMs = () => Math.max(hearing?.echoedMs() ?? 0, openedMs)
  const open = async (): Promise<Hearing | null> => {
    const opening = { hearing: null as Hearing | null }
    const lost = () => {
      if (!opening.hearing || hearing !== opening.hearing) return
      hearing = null
      wake() // the next look is a quick one
    }
    opening.hearing = await hearOfWork(id, { heard: wake, lost })
    openedMs = performance.now()
    return opening.hearing
  }
  const close = async (): Promise<void> => {
    const closed = hearing
    hearing = null
    await closed?.end()
  }

  const step = async (): Promise<number> => {
    if (hearing && performance.now() - lastMs() > DEAF_MS) {
      log.warn('Notifications of work don’t arrive any more; the connection is opened anew.')
      await close()
    }
    hearing ??= await open()
    if (!hearing && !isPooled) log.warn(POOLED)
    isPooled = !hearing
    await hearing?.echo()
    return hearing ? ECHO_MS : POOLED_MS
  }
  const running = loop('hear of work', signal, step, { inMaintenance: true })
  return {
    // A connection that was just opened is believed: what came before is found by the look that follows.
    hears: () => hearing !== null && performance.now() - lastMs() <= DEAF_MS,
    ended: running.then(close),
  }
}
