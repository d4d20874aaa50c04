/** How many steps the scripted model makes before it answers. */
export const STEPS = 100
export const WINDOW = 32_000

/** The output of a tool: about 900 tokens, different for each file. */
export function fileText(path) {
  return Array.from({ length: 60 }, (_, i) => `export const ${path.replaceAll(/\W/g, '_')}_${i} = compute(${i})`).join(
    '\n',
  )
}

/** Counts the requests of a run: how many begin with the whole request before them, and how large they were. */
export class RequestCounter {
  #before
  equal = 0
  requests = 0
  mostCharacters = 0

  add(items) {
    const now = items.map((item) => JSON.stringify(item))
    if (this.#before?.every((item, i) => item === now[i])) this.equal++
    this.#before = now
    this.requests++
    this.mostCharacters = Math.max(this.mostCharacters, now.join('').length)
  }

  /** The JSON that is printed for the test: the share of equal prefixes among all requests except the first. */
  report(more) {
    const { requests, equal, mostCharacters } = this
    return JSON.stringify({
      requests,
      equalPercent: Math.round((equal * 1000) / (requests - 1)) / 10,
      mostCharacters,
      ...more,
    })
  }
}
