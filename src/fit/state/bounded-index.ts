import type { Index, IndexDelta } from '../../model/facts/log-index.ts'

/** The most characters of each kind of facts, as JSON: more than a record shows of it. */
const MOST_CHARACTERS = {
  files: 10_000,
  listed: 10_000,
  users: 12_000,
  instructions: 2_000,
  constraints: 2_000,
  todos: 3_000,
  changes: 8_000,
  commits: 2_000,
  git: 1_000,
  errors: 3_000,
  commands: 5_000,
  identifiers: 3_000,
  statements: 4_000,
  seen: 3_000,
} as const satisfies Record<Kind, number>

type Kind = Exclude<keyof Index, 'leftOut'>
type Fact = { readonly seq: number; readonly access?: string }

/**
 * The facts of a conversation that travel with it: of each kind the newest that fit. A changed file goes before one that
 * was only read, and what the user said first stays.
 */
export function boundedIndex(index: Index): IndexDelta {
  const kinds = Object.keys(MOST_CHARACTERS) as Kind[]
  const bounded = kinds.map((kind): [Kind, readonly Fact[]] => [kind, newest(index[kind] ?? [], kind)])
  const some = Object.fromEntries(bounded.filter(([, facts]) => facts.length > 0))
  return { ...some, ...(index.leftOut === undefined ? {} : { leftOut: index.leftOut }) }
}

/** The newest facts, in the order that they had. */
function newest(facts: readonly Fact[], kind: Kind): readonly Fact[] {
  const [first] = facts
  const weight = (fact: Fact) => (fact.access === 'read' ? 0 : 1) + (kind === 'users' && fact === first ? 1 : 0)
  let left: number = MOST_CHARACTERS[kind]
  const kept = new Set<Fact>()
  for (const fact of facts.toSorted((a, b) => weight(b) - weight(a) || b.seq - a.seq)) {
    const characters = JSON.stringify(fact).length + 1
    if (characters > left) continue
    left -= characters
    kept.add(fact)
  }
  return facts.filter((fact) => kept.has(fact))
}
