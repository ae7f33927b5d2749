const made = ((globalThis as { vitrine?: Map<string, unknown> }).vitrine ??= new Map<string, unknown>())

/**
 * A value that a process has once. Next evaluates a module once for each of its bundles, and our server evaluates it
 * again: what they share (connections, queues, counters, what was read last) is made by whichever comes first. A name
 * belongs to one place in the code.
 */
export function oncePerProcess<T>(name: string, make: () => T): T {
  if (!made.has(name)) made.set(name, make())
  return made.get(name) as T // what this name's only place made
}
