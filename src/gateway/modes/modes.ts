import type { PolicyPatch } from '../../model/policy/policy.ts'
import { unreachable } from '../../model/problems/errors.ts'
import type { Mode, ModeName } from './mode.ts'
import { observe } from './observe.ts'
import { rescuingMode } from './rewrite/rescuing-mode.ts'
import { rewriteMode } from './rewrite/rewrite-mode.ts'
import type { RewriteDeps } from './rewrite/rewriter.ts'

/** The policy of mode `rewrite` if the user has chosen none: with a later trigger it costs more than the agent's own compaction. */
export const REWRITE_POLICY: PolicyPatch = { preset: 'economy' }

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
