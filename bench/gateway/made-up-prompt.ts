import { randomOf } from '../estimator/random.ts'
import { words } from '../speed/made-up-text.ts'

/** A system prompt as long as those of agents. It has words: one letter again and again is counted as many more tokens than it has. */
export const MADE_UP_PROMPT = words(randomOf(9), 5_400)
