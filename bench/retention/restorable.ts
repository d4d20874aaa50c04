import { shownBy, squashed } from '../../src/eval/probes/shown.ts'
import type { Fact } from '../../src/eval/truth/facts.ts'
import { messageShown } from '../../src/eval/truth/needed.ts'
import { recall, searchSession } from '../../src/session/search/search-session.ts'
import { openStore, type SessionId, type Store } from '../../src/store/index.ts'
import type { Bench } from '../harness/bench.ts'
import { questionsFor } from './material.ts'
import { pithDefault, pithFilled } from './methods/pith.ts'
import { type Question, scoreOf } from './score.ts'
import { rounded } from './tables.ts'

const BUDGET = 32_000
/** Of each cut, spread over its facts. */
const MOST_FACTS = 40

export const restorable: Bench = {
  name: 'retention/restorable',
  what: `Of the facts that a context of ${BUDGET / 1_000}k tokens no longer shows, the share that the agent gets back: by a handle that the context names, and by a search in the stored session.`,
  run: async (context) => {
    const questions = (await questionsFor(context)).filter(({ cut }) => cut.tokens >= BUDGET * 1.45)
    const store = await openStore(':memory:')
    const rows = []
    for (const method of [pithDefault, pithFilled]) {
      const found: Reached[] = []
      for (const question of questions) {
        context.progress(`${method.name}: ${question.cut.name}`)
        const made = await method.run(question.cut, BUDGET)
        if (!made.ok) continue
        const lost = spread(
          scoreOf(question, made.messages)
            .answers.filter(({ kept }) => kept === 'lost')
            .map(({ fact }) => fact),
        )
        found.push(...(await reachedIn(store, question, lost, shownBy(made.messages).flat)))
      }
      const share = (of: (one: Reached) => boolean) => rounded((100 * found.filter(of).length) / (found.length || 1))
      rows.push([
        method.name,
        found.length,
        share((one) => one.byHandle),
        share((one) => one.bySearch),
        share((one) => one.byHandle || one.bySearch),
      ])
    }
    await store.close()
    return {
      tables: [
        {
          title: 'Facts that the context no longer shows (%)',
          columns: ['method', 'facts', 'its handle is named', 'found by search', 'either'],
          rows,
        },
      ],
      notes: [
        'Truncation, masking without handles, recorded summaries and the peers keep nothing that their agent could ask for: 0 %. Files on disk can be read again by any of them.',
      ],
    }
  },
}

type Reached = { readonly byHandle: boolean; readonly bySearch: boolean }

async function reachedIn(store: Store, { cut }: Question, facts: readonly Fact[], shown: string): Promise<Reached[]> {
  const { id } = await store.createSession({ owner: 'bench', workspace: 'bench' })
  await store.append(
    id,
    cut.span.map(({ message }) => ({ type: 'message' as const, message })),
  )
  const reached: Reached[] = []
  for (const fact of facts)
    reached.push({ byHandle: new RegExp(`#${fact.seq}\\b`).test(shown), bySearch: await isFound(store, id, fact) })
  return reached
}

/** Searches for the first words of the fact: an agent would remember or guess that much. */
async function isFound(store: Store, id: SessionId, { text }: Fact): Promise<boolean> {
  const { hits } = await searchSession(store, id, squashed(text).slice(0, 40), { limit: 10 })
  const entries =
    hits.length === 0
      ? []
      : await recall(
          store,
          id,
          hits.map(({ seq }) => seq),
        )
  return entries.some(
    (entry) => entry.type === 'message' && squashed(messageShown(entry.message)).includes(squashed(text)),
  )
}

function spread(facts: readonly Fact[]): Fact[] {
  const step = Math.max(1, Math.ceil(facts.length / MOST_FACTS))
  return facts.filter((_, i) => i % step === 0)
}
