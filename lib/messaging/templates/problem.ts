/** Something wrong with a template, and its line. */
export type Problem = { line: number; detail: string }

export const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length
