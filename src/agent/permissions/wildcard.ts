/** Whether a text matches a pattern in which `*` matches any characters. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesSequence([...pattern], [...text], {
    isAny: (sign) => sign === '*',
    isSame: (sign, character) => sign === character,
  })
}

/** Whether items match a pattern in which some parts match any number of items. It takes at most pattern times items steps. */
export function matchesSequence<P, I>(
  pattern: readonly P[],
  items: readonly I[],
  { isAny, isSame }: { readonly isAny: (part: P) => boolean; readonly isSame: (part: P, item: I) => boolean },
): boolean {
  let at = 0
  let any = -1
  let restart = 0
  for (let i = 0; i < items.length; ) {
    const part = pattern[at]
    if (at < pattern.length && isAny(part as P)) {
      any = at++
      restart = i
    } else if (at < pattern.length && isSame(part as P, items[i] as I)) {
      at++
      i++
    } else if (any !== -1) {
      // The last part that matches anything takes one item more.
      at = any + 1
      i = ++restart
    } else return false
  }
  return pattern.slice(at).every(isAny)
}
