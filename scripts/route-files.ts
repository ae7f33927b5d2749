import fs from 'node:fs'
import path from 'node:path'
import type { Handler } from '../lib/platform/http/serve.ts'

const root = path.resolve(import.meta.dirname, '..')

/** The route files of both APIs, but for those that answer unknown paths. */
export const routeFiles = (): string[] =>
  fs
    .globSync('app/{v1,public/v1}/**/route.ts', { cwd: root })
    .filter((file) => !file.includes('[...path]'))
    .sort()
    .map((file) => path.join(root, file))

/** The endpoints that route files export, each with the verb that serves it. */
export const handlersOf = (routes: readonly object[]): Handler[] =>
  routes.flatMap((route) => Object.values(route) as object[]).filter((each): each is Handler => 'endpoint' in each)
