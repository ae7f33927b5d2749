// A thread that compiles and cleans the bodies of templates. Its owner (compile-in-thread.ts) ends it when one takes
// too much.
import { answerTasks } from '../../platform/threads/answer-tasks.ts'
import { cleanHtml } from './clean-html.ts'
import { compileMjml } from './compile-mjml.ts'
import type { Problem } from './problem.ts'

/** `urls`: the variables that may be an address, where the body is to be cleaned; null: it was checked before. */
export type Task = { format: 'MJML' | 'HTML'; body: string; urls: readonly string[] | null }
export type Compiled = { html: string; problems: Problem[] }

async function answer({ format, body, urls }: Task): Promise<Compiled> {
  const compiled = format === 'MJML' ? await compileMjml(body) : { html: body, problems: [] }
  return urls && compiled.problems.length === 0 ? cleanHtml(compiled.html, { source: body, urls }) : compiled
}

// Loads the compiler before the first task, whose fault that isn't.
await compileMjml('<mjml><mj-body></mj-body></mjml>')
answerTasks(answer)
