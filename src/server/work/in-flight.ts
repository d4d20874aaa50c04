/** Posts with a key that are being answered: the same one that comes in meanwhile gets the same answer. */
export class InFlight {
  readonly #answers = new Map<string, Promise<unknown>>()

  once<T>(key: string | undefined, act: () => Promise<T>): Promise<T> {
    if (key === undefined) return act()
    // The key has the route in it, and a route has one type of answer.
    const known = this.#answers.get(key) as Promise<T> | undefined
    if (known !== undefined) return known
    const answer = act().finally(() => this.#answers.delete(key))
    this.#answers.set(key, answer)
    return answer
  }
}
