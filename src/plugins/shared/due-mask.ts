import { type CompactInput, compact } from '../../engine/compact/compact.ts'
import { reductionStatus } from '../../engine/report/outcome.ts'
import type { Seq } from '../../model/ids.ts'

/** The results to mask in one batch. */
export type DueMask = {
  readonly targets: readonly Seq[]
  readonly nameCharacters?: number
  /** What a status line says of it. */
  readonly status: string
}

/**
 * The batch of old results that the policy would mask now, if it is due and pays. Answers of the model stay as the
 * provider signed them, so large arguments in them are left alone.
 */
export async function dueMask(input: CompactInput): Promise<DueMask | undefined> {
  const result = await compact({
    ...input,
    policy: { ...input.policy, rungs: ['mask'] },
    reason: 'threshold',
  })
  const made = result.entries.find((entry) => entry.type === 'mask')
  if (made?.type !== 'mask') return undefined
  const results = new Set(input.log.flatMap((entry) => (isResult(entry) ? [entry.seq] : [])))
  const targets = made.targets.filter((seq) => results.has(seq))
  const { nameCharacters } = made
  return targets.length === 0
    ? undefined
    : { targets, nameCharacters, status: reductionStatus({ ...result, rung: 'mask' }) }
}

function isResult(entry: CompactInput['log'][number]): boolean {
  return entry.type === 'message' && entry.message.role === 'tool'
}
