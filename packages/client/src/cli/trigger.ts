import { type EventLog, Misuse } from './settings.ts'

/** Sends an example of an event to those who listen. */
export async function trigger({ triggerEvent }: EventLog, type: string | undefined): Promise<void> {
  if (!type) throw new Misuse('Which event? vitrine trigger purchase.confirmed')
  const { id } = await triggerEvent({ body: { type } })
  console.log(`${type} ${id} is on its way to those who listen.`)
}
