/** The longest time for drawing one frame. Keys that are pressed during that time have to wait. */
const FRAME_MS = 12

/** The time that a frame has for new content. The rest is drawn in the next frame. */
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

  /** How many pieces were left for the next frame. */
  get missed(): number {
    return this.#missed
  }
}

/** A budget without a limit, for short content. */
export const NO_LIMIT = new FrameBudget(Number.POSITIVE_INFINITY)
