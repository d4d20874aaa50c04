import { randomOf } from '../../src/eval/random.ts'
import { words } from '../speed/made-up-text.ts'

/** A system prompt as long as those of agents. It is made of words because the estimate for one repeated letter is far too high. */
export const MADE_UP_PROMPT = words(randomOf(9), 5_400)
