/** The names and paths in a piece of code, in order. A text that is concatenated from pieces (`'.e' + 'nv'`) counts as one. */
export function codeTokens(code: string): string[] {
  return (
    code
      // The lookbehind excludes separate texts, such as the folder in `['git', '-C', '.', 'push']`.
      .replace(/(?<=[^\s,([{:=])(['"])\s{0,20}[+.]?\s{0,20}\1/g, '')
      .split(/[^\w.~/@%+:-]+/)
      .filter((token) => token !== '')
  )
}
