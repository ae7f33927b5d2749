// Loaded before a process's own code (NODE_OPTIONS=--import): its host's clock is CLOCK_AHEAD_MS ahead.
const RealDate = Date
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const now = () => RealDate.now() + aheadMs
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
