/** The names and paths in a piece of code, in order. Texts that are put together from pieces (`'.e' + 'nv'`) are one. */
export function codeTokens(code: string): string[] {
  return (
    code
      // Not a text of its own, such as the folder in `['git', '-C', '.', 'push']`.
      .replace(/(?<=[^\s,([{:=])(['"])\s{0,20}[+.]?\s{0,20}\1/g, '')
      .split(/[^\w.~/@%+:-]+/)
      .filter((token) => token !== '')
  )
}
