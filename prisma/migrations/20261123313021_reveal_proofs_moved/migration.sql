-- Proofs from before. The old column stays until no process reads it.
UPDATE collections SET reveal_proof = reveal_proof WHERE reveal_proof IS NOT NULL;
