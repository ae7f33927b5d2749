import { parentPort } from 'node:worker_threads'

/** A thread's message about a task, or at the thread's beginning. `cpuMicros`: its processor time since it began. */
export type Reply = { cpuMicros: number; result?: unknown; failed?: string }

/** The processor time of this thread, in microseconds. */
export const cpuMicros = (): number => {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/**
 * Answers the tasks of the thread's owner (limited-thread.ts), one after the other. The owner ends the thread when one
 * takes too much.
 */
export function answerTasks<Task, R extends object>(answer: (task: Task) => R | Promise<R>): void {
  const reply = (said: Omit<Reply, 'cpuMicros'>) => parentPort!.postMessage({ ...said, cpuMicros: cpuMicros() })
  const carryOut = async (task: Task) => reply({ result: await answer(task) })
  parentPort!.on('message', (task: Task) => {
    carryOut(task).catch((error: unknown) => reply({ failed: (error as Error).message }))
  })
  reply({ result: true })
}
