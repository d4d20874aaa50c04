import type { SessionQuestion } from '../retention/material.ts'

const LEAST_TOKENS = 20_000

/**
 * The cuts to judge: one a session, so that one seat can answer about all of them. Sessions with a recorded summary come
 * first, because only those can be compared with the agent's own; then agents that have had the fewest turns.
 */
export function chosenCuts(
  questions: readonly SessionQuestion[],
  most: number,
  named: readonly string[] = [],
): SessionQuestion[] {
  return named.length > 0 ? namedCuts(questions, named) : spreadCuts(questions, most)
}

/** The cuts with these names. An unknown name ends the run. */
function namedCuts(questions: readonly SessionQuestion[], names: readonly string[]): SessionQuestion[] {
  return names.map((name) => {
    const found = questions.find(({ cut }) => cut.name === name)
    if (found !== undefined) return found
    throw new Error(`There is no cut ${name}. There are: ${questions.map(({ cut }) => cut.name).join(', ')}.`)
  })
}

function spreadCuts(questions: readonly SessionQuestion[], most: number): SessionQuestion[] {
  const long = questions.filter(({ cut }) => cut.tokens >= LEAST_TOKENS)
  let left = [...Map.groupBy(long, ({ session }) => session).values()].flatMap((all) =>
    all.toSorted((a, b) => isRecorded(b) - isRecorded(a) || b.cut.tokens - a.cut.tokens).slice(0, 1),
  )
  const turns = new Map<string, number>()
  const chosen: SessionQuestion[] = []
  const rank = (question: SessionQuestion) => isRecorded(question) * 1_000 - (turns.get(question.agent) ?? 0)
  while (chosen.length < most) {
    const [next] = left.toSorted((a, b) => rank(b) - rank(a))
    if (next === undefined) break
    turns.set(next.agent, (turns.get(next.agent) ?? 0) + 1)
    chosen.push(next)
    left = left.filter((one) => one !== next)
  }
  return chosen
}

function isRecorded({ cut }: SessionQuestion): number {
  return Number(cut.recorded !== undefined)
}
