import { solveProof } from '@/lib/core/solve-proof'
import type { ProofChallenge } from './solve-in-worker'

// A dedicated worker's script: it answers one challenge with its proof.
addEventListener('message', ({ data }: MessageEvent<ProofChallenge>) => {
  void solveProof(data.challenge, data.difficulty).then((proof) => postMessage(proof), reportError)
})
