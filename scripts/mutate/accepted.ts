import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Mutant } from './mutants.ts'

/** A mutant that no test has to notice, and why. */
const Accepted = z.strictObject({
  file: z.string(),
  /** The line as it is and as the mutant has it, as the report shows them. */
  before: z.string(),
  after: z.string(),
  reason: z.string().min(1),
})
export type Accepted = z.infer<typeof Accepted>

/** The committed list, `accepted.json` beside this file. */
export function readAccepted(): Accepted[] {
  return z.array(Accepted).parse(JSON.parse(readFileSync(join(import.meta.dirname, 'accepted.json'), 'utf8')))
}

/** The reason for which a mutant is accepted. */
export function reasonFor(mutant: Mutant, accepted: readonly Accepted[]): string | undefined {
  const match = accepted.find(
    ({ file, before, after }) => file === mutant.file && before === mutant.before && after === mutant.after,
  )
  return match?.reason
}
