export type ProofChallenge = { challenge: string; difficulty: number }

/** Solves a proof of work off the page's main thread, so that the page stays responsive however long it takes. */
export function solveInWorker(challenge: ProofChallenge): Promise<string> {
  const worker = new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<string>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<string>) => resolve(data))
    worker.addEventListener('error', () => reject(new Error('The proof of work could not be computed.')))
    worker.postMessage(challenge)
  }).finally(() => worker.terminate())
}
