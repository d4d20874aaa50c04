import type { SessionQuestion } from '../retention/material.ts'

const LEAST_TOKENS = 30_000
const CUTS_OF_A_SESSION = 2

/**
 * The cuts to judge: two a session, those with a recorded summary first. Sessions with one come first, as only there the
 * agent's own can be compared; then agents that have had the fewest turns.
 */
export function chosenCuts(questions: readonly SessionQuestion[], most: number): SessionQuestion[] {
  const long = questions.filter(({ cut }) => cut.tokens >= LEAST_TOKENS)
  let left = [...Map.groupBy(long, ({ session }) => session).values()].map((all) =>
    all.toSorted((a, b) => isRecorded(b) - isRecorded(a) || b.cut.tokens - a.cut.tokens).slice(0, CUTS_OF_A_SESSION),
  )
  const turns = new Map<string, number>()
  const chosen: SessionQuestion[] = []
  while (left.length > 0 && chosen.length < most) {
    const rank = ([first]: readonly SessionQuestion[]) =>
      first === undefined ? 0 : isRecorded(first) * 1_000 - (turns.get(first.agent) ?? 0)
    const next = left.toSorted((a, b) => rank(b) - rank(a))[0] ?? []
    for (const { agent } of next.slice(0, 1)) turns.set(agent, (turns.get(agent) ?? 0) + 1)
    chosen.push(...next)
    left = left.filter((all) => all !== next)
  }
  return chosen.slice(0, most)
}

function isRecorded({ cut }: SessionQuestion): number {
  return Number(cut.recorded !== undefined)
}
