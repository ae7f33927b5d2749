const tasks: (() => unknown)[] = []

/** Runs a task when the test file has ended. Unlike afterAll it may be called from inside a hook. */
export const atFileEnd = (task: () => unknown): void => void tasks.push(task)

/** Runs the tasks, the last one first. Throws what one of them threw when all have run. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = []
  for (const task of tasks.splice(0).reverse())
    try {
      await task()
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}
