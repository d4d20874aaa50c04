import {
  budgetOf,
  type Entry,
  estimatorOf,
  extendView,
  logOf,
  nextEntry,
  plan,
  policyOf,
  status,
  type View,
  viewOf,
} from '../../src/engine.ts'
import type { PeerName } from '../harness/peer.ts'
import { contestant } from '../harness/timing.ts'
import { type Contest, type Entrant, peerEntrant } from './contest.ts'
import { conversation } from './conversation.ts'
import { everyCharacter, itsCharacters } from './every-character.ts'
import { fresh } from './material.ts'
import { speedBench } from './speed-bench.ts'

const model = { contextWindow: 200_000 }
const policy = policyOf()
const budget = budgetOf(policy, model.contextWindow)
const estimator = estimatorOf(policy, [])
const PEERS: readonly PeerName[] = ['pi', 'langchain', 'gemini']

function planOf(view: View) {
  const { tokens } = status({ view, model, estimator })
  return plan({ view, policy, budget, estimator, reason: 'manual', tokens })
}

/** The first plan for a session: nothing of it has been folded or counted before. */
export const first: Contest = {
  slug: 'plan-first',
  title: 'The first plan for a session',
  module: import.meta.filename,
  name: 'first',
  entrants: [
    {
      name: 'Pith',
      kind: 'pith',
      enter: (material) =>
        contestant({
          name: '',
          prepare: () => fresh(material).map((messages) => logOf(messages)),
          run: (logs) =>
            logs.map((log) => {
              const view = viewOf(log)
              return { view, plan: planOf(view) }
            }),
        }),
    },
    ...PEERS.map((name) =>
      peerEntrant(name, (peer, material) =>
        contestant({
          name,
          prepare: () => fresh(material).map((messages) => peer.nativeOf(messages)),
          run: async (natives) => {
            for (const native of natives) await peer.plan?.(native)
          },
        }),
      ),
    ),
    everyCharacter,
  ],
}

const OURS_TIMES = 200
const MORE = conversation(OURS_TIMES, 2)

const oursAgain: Entrant = {
  name: 'Pith',
  kind: 'pith',
  enter: (material) =>
    contestant({
      name: '',
      times: OURS_TIMES,
      prepare: () => {
        const log: Entry[] = logOf(fresh(material)[0] ?? [])
        const view = viewOf(log)
        planOf(view)
        return { log, view, more: MORE.map((message) => structuredClone(message)) }
      },
      run: ({ log, view: before, more }) => {
        let view = before
        for (const message of more) {
          const entry = nextEntry(log, { type: 'message', message })
          log.push(entry)
          view = extendView(view, entry, log)
          planOf(view)
        }
      },
    }),
}

/** The plan after one more message, as an agent makes it before each request. */
export const again: Contest = {
  slug: 'plan-again',
  title: 'The plan after one more message',
  module: import.meta.filename,
  name: 'again',
  unit: 'µs',
  entrants: [
    oursAgain,
    ...PEERS.map((name) =>
      peerEntrant(name, (peer, material) => {
        const times =
          name === 'langchain' ? 1 : Math.max(3, Math.min(OURS_TIMES, Math.floor(20_000 / material.messages)))
        return contestant({
          name,
          times,
          prepare: () => peer.nativeOf(fresh(material)[0] ?? []),
          run: async (native) => {
            for (const message of MORE.slice(0, times)) {
              peer.append(native, message)
              await peer.plan?.(native)
            }
          },
        })
      }),
    ),
    itsCharacters(MORE),
  ],
}

export const planning = speedBench(
  {
    name: 'speed/plan',
    what: 'How long it takes to decide whether to compact and where to cut: at first sight, and after one more message.',
    notes: [
      'Pith: `viewOf`, `status`, `plan`; later `extendView`, `status`, `plan`.',
      'pi: `prepareCompaction`: projection, count, cut and file lists. LangChain: `trimMessages` to the last 20,000 tokens; for every message that it drops it counts all that is left. Gemini CLI: `findCompressSplitPoint`; every message becomes JSON to measure it.',
    ],
  },
  [first, again],
)
