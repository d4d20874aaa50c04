/** Posts with a key whose answer is not out yet: a repetition waits for the same answer. */
export class InFlight {
  readonly #answers = new Map<string, Promise<unknown>>()

  once<T>(key: string | undefined, act: () => Promise<T>): Promise<T> {
    if (key === undefined) return act()
    // The key contains the route, and a route has one type of answer.
    const known = this.#answers.get(key) as Promise<T> | undefined
    if (known !== undefined) return known
    const answer = act().finally(() => this.#answers.delete(key))
    this.#answers.set(key, answer)
    return answer
  }
}
