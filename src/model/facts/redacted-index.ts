import type { ErrorFact, Index, SeenNames, Seq } from '../types.ts'
import { changeWithout } from './change-fact.ts'

/** The index without the facts that came from these entries, which the user redacted. */
export function withoutEntries(index: Index, seqs: ReadonlySet<Seq>): Index {
  if (seqs.size === 0) return index
  const left = Object.entries(index).map(([key, facts]) => [
    key,
    Array.isArray(facts) ? (facts as readonly { seq: Seq }[]).filter((fact) => !seqs.has(fact.seq)) : facts,
  ])
  const rest = Object.fromEntries(left) as Index
  const isGone = ({ call = -1 }: { call?: Seq }) => seqs.has(call)
  return {
    ...rest,
    errors: rest.errors.map((error) => withoutRedactedWords(isGone(error) ? withoutCommand(error) : error, seqs)),
    ...(rest.seen === undefined ? {} : { seen: rest.seen.map((fact) => (isGone(fact) ? withoutPath(fact) : fact)) }),
    ...(index.changes === undefined
      ? {}
      : { changes: index.changes.flatMap((fact) => changeWithout(fact, seqs) ?? []) }),
  }
}

function withoutPath({ seq, names }: SeenNames): SeenNames {
  return { seq, names }
}

function withoutCommand({ command, path, call, ...error }: ErrorFact): ErrorFact {
  return error
}

function withoutRedactedWords({ said = [], ...error }: ErrorFact, seqs: ReadonlySet<Seq>): ErrorFact {
  const left = said.filter(({ seq }) => !seqs.has(seq))
  return left.length === 0 ? error : { ...error, said: left }
}
