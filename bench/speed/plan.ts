import { type Context, statusIn } from '../../src/engine/context/context.ts'
import { extendContext, openContext } from '../../src/engine/context/open-context.ts'
import { entryAfter } from '../../src/engine/context/view/log.ts'
import { logOf, plan } from '../../src/engine.ts'
import type { PeerName } from '../harness/peer.ts'
import { contestant } from '../harness/timing.ts'
import { type Contest, type Entrant, peerEntrant } from './contest.ts'
import { conversation } from './conversation.ts'
import { everyCharacter, itsCharacters } from './every-character.ts'
import { fresh } from './material.ts'
import { speedBench } from './speed-bench.ts'

const settings = { model: { contextWindow: 200_000 } }
const PEERS: readonly PeerName[] = ['pi', 'langchain', 'gemini']

function planOf(context: Context) {
  const { tokens } = statusIn(context)
  return plan({ ...context, fixed: context.fixed.own, breaker: 'closed', reason: 'manual', tokens })
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
              const context = openContext(log, settings)
              return { context, plan: planOf(context) }
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
        const context = openContext(logOf(fresh(material)[0] ?? []), settings)
        planOf(context)
        return { context, more: MORE.map((message) => structuredClone(message)) }
      },
      run: ({ context: before, more }) => {
        let context = before
        for (const message of more) {
          context = extendContext(context, entryAfter(context.log.last, { type: 'message', message }))
          planOf(context)
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
    what: 'How long it takes to decide whether to compact and where to cut: for the first time, and after one more message.',
    notes: [
      'Pith: `openContext`, `statusIn`, `plan`; later `extendContext`, `statusIn`, `plan`.',
      'pi: `prepareCompaction`: projection, count, cut and file lists. LangChain: `trimMessages` to the last 20,000 tokens; for every message that it drops it counts all that is left. Gemini CLI: `findCompressSplitPoint`; every message becomes JSON to measure it.',
    ],
  },
  [first, again],
)
