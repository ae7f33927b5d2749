import { limitedThread, type Owner } from '../../platform/threads/limited-thread.ts'
import type { Compiled, Task } from './template-thread.ts'

/** Of a body; the largest of common ones take a tenth. */
const BODY_MS = 2_000

const thread = limitedThread<Task, Compiled>('template thread', {
  file: 'lib/messaging/templates/template-thread.ts',
  memoryMb: 160,
  tooMany: 'Too many templates of this organization wait to be compiled.',
})

/** A template's body compiled, and cleaned where it is a draft. One that takes too long has that as its problem. */
export async function compileInThread(owner: Owner, task: Task): Promise<Compiled> {
  const { reply } = await thread.inTurn(owner, () => thread.carryOut(task, BODY_MS))
  return reply ?? { html: '', problems: [{ line: 1, detail: TOO_SLOW }] }
}

const TOO_SLOW = 'This takes too long to compile. It needs fewer blocks, or fewer rules in its style sheets.'
