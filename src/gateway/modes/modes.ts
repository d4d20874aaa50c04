import { unreachable } from '../../model/errors.ts'
import type { Mode, ModeName } from './mode.ts'
import { observe } from './observe.ts'
import { rescuingMode } from './rewrite/rescuing-mode.ts'
import { rewriteMode } from './rewrite/rewrite-mode.ts'
import type { RewriteDeps } from './rewrite/rewriter.ts'

/** The mode of a name. */
export function modeNamed(name: ModeName, deps: RewriteDeps): Mode {
  switch (name) {
    case 'observe':
      return observe
    case 'answer':
      return rescuingMode(deps)
    case 'rewrite':
      return rewriteMode(deps)
    default:
      return unreachable(name)
  }
}
