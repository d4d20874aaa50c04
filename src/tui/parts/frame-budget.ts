/** How long one frame may draw: keys that are pressed meanwhile wait for it. */
const FRAME_MS = 12

/** The time that a frame has for what is new; what does not fit is drawn in the next one. */
export class FrameBudget {
  readonly #end: number
  #missed = 0

  constructor(frameMs = FRAME_MS) {
    this.#end = performance.now() + frameMs
  }

  hasTime(): boolean {
    if (performance.now() < this.#end) return true
    this.#missed++
    return false
  }

  /** How often something was left for the next frame. */
  get missed(): number {
    return this.#missed
  }
}

/** For what is short: it is drawn whole or not at all. */
export const NO_LIMIT = new FrameBudget(Number.POSITIVE_INFINITY)
