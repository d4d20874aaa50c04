const MOST = 1_000
const KEPT_MS = 10 * 60_000

/**
 * Answers to posts with a key whose effect the store cannot tell by the key: asked again within minutes, this process
 * gives the same answer and does nothing.
 */
export class Replays {
  readonly #answers = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>()

  once<T>(key: string | undefined, act: () => Promise<T>): Promise<T> {
    if (key === undefined) return act()
    const known = this.#answers.get(key)
    // The key has the route in it, and a route has one type of answer.
    if (known !== undefined && Date.now() - known.at < KEPT_MS) return known.answer as Promise<T>
    const answer = act()
    this.#answers.delete(key)
    this.#answers.set(key, { at: Date.now(), answer })
    // What failed may be tried again under the same key.
    answer.catch(() => this.#answers.delete(key))
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest)
    return answer
  }
}
