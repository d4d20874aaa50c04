import { FACT_KINDS } from '../../src/eval/truth/facts.ts'
import { policyOf } from '../../src/model/policy/presets.ts'
import { LEAST_TIMES } from './least-times.ts'
import type { Question } from './score.ts'
import { type Measured, rounded } from './tables.ts'

/** The kinds of which another method keeps more than Pith at a budget. */
export function lostRows(budget: number, measured: readonly Measured[]): string {
  const pith = measured.find(({ method }) => method === 'Pith')
  const others = measured.filter(({ method }) => !method.startsWith('Pith'))
  const lost = FACT_KINDS.flatMap((kind) => {
    const ours = pith?.tally?.recall(kind) ?? 100
    const best = others
      .map(({ method, tally, over = 0 }) => ({
        method: over === 0 ? method : `${method}, which was over the budget at ${over} of ${tally?.cuts} cuts`,
        share: tally?.recall(kind) ?? 0,
      }))
      .reduce((most, one) => (one.share > most.share ? one : most), { method: '', share: ours })
    return best.share > ours ? [`${kind} (${rounded(ours)} to ${rounded(best.share)} of ${best.method})`] : []
  })
  return lost.length === 0 ? '' : `At ${budget / 1_000}k another method keeps more of: ${lost.join(', ')}.`
}

/** Reads the numbers from the default policy, so that the note stays right when they change. */
function settingsNote(): string {
  const { triggerMaxTokens = 0, targetMaxTokens = 0 } = policyOf()
  const tokens = (count: number) => count.toLocaleString('en')
  return `Pith runs by its default policy, except for the trigger and the target: the target is the budget, the window is such that the conversation has just come to 80 % of it. Results at the end of a cut that the model has not read yet do not count against the target: there a context may be over the budget. By default it compacts at the latest after ${tokens(triggerMaxTokens)} tokens of conversation, to at most ${tokens(targetMaxTokens)} beside what is always sent.`
}

/** The notes that a reader needs to understand the tables. */
export function notesOf(questions: readonly Question[]): string[] {
  const facts = questions.reduce((sum, question) => sum + question.facts.length, 0)
  return [
    `${questions.length} cuts, ${facts} facts. A cut counts at a budget when the conversation has at least ${LEAST_TIMES} times as many tokens.`,
    'The facts are found by the names of tools and arguments and a few patterns of the benchmark’s own (bench/retention/truth), not by the engine’s tables. Files that only a shell command touched are not asked about.',
    'A command counts as kept with how its last run ended; a to-do with its last state; a message of the user with its first 1,000 characters. “Used later”: names that the agent used after the cut before anything after it had shown them.',
    settingsNote(),
    'Tuned on: Claude Code and pi. Held out: all other agents. The split is newer than the digest: until it was made all sessions were looked at, and one change since, that a masked call shows how its arguments begin, started from a loss in a held-out session (how much of them was then chosen on the others). So the held-out columns are not a clean test of what was there before.',
    'Pith runs without a model. Recorded summaries were written by the agent’s own model at that place; they are followed by as many of the newest messages as fit, chosen as for tail truncation.',
  ]
}
