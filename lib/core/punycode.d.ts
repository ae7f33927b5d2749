declare module 'punycode/punycode.es6.js' {
  /** A domain whose labels in Punycode become Unicode. Throws a RangeError where one isn't valid. */
  export function toUnicode(domain: string): string
}
