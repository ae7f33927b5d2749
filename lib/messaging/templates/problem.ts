/** Something wrong with a template, where it stands. */
export type Problem = { line: number; detail: string }

export const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length
