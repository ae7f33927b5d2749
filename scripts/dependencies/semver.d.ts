declare module 'semver' {
  const semver: {
    lt(version: string, other: string): boolean
    gte(version: string, other: string): boolean
  }
  export default semver
}
