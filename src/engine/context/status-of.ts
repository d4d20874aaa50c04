import type { PolicyPatch } from '../../model/policy/policy.ts'
import type { Entry } from '../../model/types.ts'
import type { Status, StatusInput } from '../../tokens/status.ts'
import { statusIn } from './context.ts'
import { openContext } from './open-context.ts'

/**
 * How full the context of a log is, counted as `compact()` counts under the same policy.
 *
 * @example
 * ```ts
 * import { logOf, statusOf } from 'pith'
 *
 * const { tokens, percent } = statusOf(logOf(messages), { model: { contextWindow: 200_000 } })
 * console.log(`${tokens} tokens, ${percent} %`)
 * ```
 */
export function statusOf(
  log: readonly Entry[],
  input: Omit<StatusInput, 'view'> & { readonly policy?: PolicyPatch } = {},
): Status {
  const { pending, ...settings } = input
  return statusIn(openContext(log, settings), pending)
}
