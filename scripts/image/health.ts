// The image's health check: whether the process of this container answers, web at PORT, a worker at WORKER_HEALTH_PORT.
const port = process.env.WORKER_HEALTH_PORT || process.env.PORT || '3000'
const answer = await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => null,
)
process.exit(answer?.ok ? 0 : 1)
