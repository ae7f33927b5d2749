import { realNow, secondsFrom } from '../core/clock.ts'

type Step = { name: string; stuckAt: Date }

const running = new Set<Step>()

/** Notes when each step of a loop begins and ends. */
export function watchSteps(name: string, stuckSeconds: number): { begin(): void; end(): void } {
  let step: Step | null = null
  return {
    begin: () => void running.add((step = { name, stuckAt: secondsFrom(realNow(), stuckSeconds) })),
    end: () => void (step && running.delete(step)),
  }
}

/** The names of the loops whose step has not ended in the time that it should at most take. */
export const stuckLoops = (): string[] =>
  [...running].filter(({ stuckAt }) => stuckAt <= realNow()).map(({ name }) => name)
