import { unreachable } from '../../model/errors.ts'
import { answerMode } from './answer/answer-mode.ts'
import type { Mode, ModeName } from './mode.ts'
import { observe } from './observe.ts'
import { type RewriteDeps, rewriteMode } from './rewrite/rewrite-mode.ts'

/** The mode of a name. */
export function modeNamed(name: ModeName, deps: RewriteDeps): Mode {
  switch (name) {
    case 'observe':
      return observe
    case 'answer':
      return answerMode(deps)
    case 'rewrite':
      return rewriteMode(deps)
    default:
      return unreachable(name)
  }
}
