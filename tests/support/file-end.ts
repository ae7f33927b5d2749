const tasks: (() => unknown)[] = []

/** Runs a task when the test file has ended. Unlike afterAll it may be called from inside a hook. */
export const atFileEnd = (task: () => unknown): void => void tasks.push(task)

/** Runs the tasks, the last one first. */
export async function endFile(): Promise<void> {
  for (const task of tasks.splice(0).reverse()) await task()
}
