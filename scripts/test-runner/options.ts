/** What the command line of `npm test` says. */
export type Options = {
  /** Print tables of what everything took. */
  times: boolean
  /** Run what reaches the files changed since this commit; '' since the branch left main. */
  changed: string | null
  /** Suites, files and folders of tests. */
  names: string[]
}

/** Throws on an option that isn't known, and where names are given beside `--changed`. */
export function readOptions(args: readonly string[]): Options {
  const options: Options = { times: false, changed: null, names: [] }
  for (const arg of args)
    if (arg === '--times') options.times = true
    else if (arg === '--changed') options.changed = ''
    else if (arg.startsWith('-'))
      throw new Error(`${arg} is no option. The options are --times and --changed [commit].`)
    else if (options.changed === '') options.changed = arg
    else options.names.push(arg)
  if (options.changed !== null && options.names.length > 0)
    throw new Error('--changed chooses the tests itself: name a commit after it, or nothing.')
  return options
}
