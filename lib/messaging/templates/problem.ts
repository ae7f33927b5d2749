/** Something wrong with a template, and its line. */
export type Problem = { line: number; detail: string }

/** The line, counted from 1, of a position in a text. */
export const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length
