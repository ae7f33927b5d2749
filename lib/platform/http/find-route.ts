import { type Route, routeAt, unknownPath } from './route.ts'
import type { Handler } from './serve.ts'

/** The route of a path with the handlers of all its methods, and the values of the path's parameters. */
export type FoundRoute = { route: Route; handlers: readonly Handler[]; params: Record<string, string> }

/** Where a segment of a path leads: to a fixed name, or to a parameter. */
type Step = { fixed: Map<string, Step>; parameter?: { name: string; step: Step }; ends?: Omit<FoundRoute, 'params'> }

/** An API's base path, and the paths below it. `admit` has refused malformed escapes and empty segments. */
const OF_AN_API = /^\/(?:public\/)?v1(?:\/|$)/

const UNKNOWN: FoundRoute = { route: unknownPath, handlers: [], params: {} }

/**
 * Finds what answers a path, by a table of handlers: fixed segments before parameters, which are decoded, as Next finds
 * route files. Null: Next answers it.
 */
export function routeFinder(handlers: readonly Handler[]): (path: string) => FoundRoute | null {
  const first: Step = { fixed: new Map() }
  for (const path of new Set(handlers.map(({ endpoint }) => endpoint.path))) {
    const last = path.split('/').slice(1).reduce(stepTo, first)
    const own = handlers.filter(({ endpoint }) => endpoint.path === path)
    last.ends = { route: routeAt(own, path), handlers: own }
  }
  return (path) => (OF_AN_API.test(path) ? (follow(first, path.split('/').slice(1), {}) ?? UNKNOWN) : null)
}

function stepTo(from: Step, segment: string): Step {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1]
  if (name) return (from.parameter ??= { name, step: { fixed: new Map() } }).step
  const known = from.fixed.get(segment) ?? { fixed: new Map() }
  from.fixed.set(segment, known)
  return known
}

function follow(from: Step, [segment, ...rest]: string[], params: Record<string, string>): FoundRoute | null {
  if (segment === undefined) return from.ends ? { ...from.ends, params } : null
  const { fixed, parameter } = from
  const next = fixed.get(segment)
  const found = next && follow(next, rest, params)
  if (found || !parameter) return found ?? null
  return follow(parameter.step, rest, { ...params, [parameter.name]: decodeURIComponent(segment) })
}
