import { unreachable } from '../../model/errors.ts'
import { type AnswerDeps, answerMode } from './answer/answer-mode.ts'
import type { Mode, ModeName } from './mode.ts'
import { observe } from './observe.ts'

/** The mode of a name. */
export function modeNamed(name: ModeName, deps: AnswerDeps): Mode {
  switch (name) {
    case 'observe':
      return observe
    case 'answer':
      return answerMode(deps)
    default:
      return unreachable(name)
  }
}
