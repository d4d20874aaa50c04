import { statusIn } from '../../src/engine/context/context.ts'
import { extendContext, openContext } from '../../src/engine/context/open-context.ts'
import { entryAfter } from '../../src/engine/context/view/log.ts'
import { charactersByFour, estimatorOf, logOf, messagesTokens, policyOf } from '../../src/engine.ts'
import type { PeerName } from '../harness/peer.ts'
import { contestant } from '../harness/timing.ts'
import { type Contest, type Entrant, peerEntrant } from './contest.ts'
import { conversation } from './conversation.ts'
import { everyCharacter, itsCharacters } from './every-character.ts'
import { fresh } from './material.ts'
import { speedBench } from './speed-bench.ts'

const model = { contextWindow: 200_000 }
const BY_LENGTH = 'Pith, length ÷ 4'
/** The peers, each with the row of ours that does the same work. */
const PEERS: readonly (readonly [PeerName, string])[] = [
  ['pi', BY_LENGTH],
  ['langchain', BY_LENGTH],
  ['gemini', 'Pith'],
]
const estimators = { Pith: estimatorOf(policyOf(), []), [BY_LENGTH]: charactersByFour }

/** Counting a session that nobody has counted before. */
export const whole: Contest = {
  slug: 'count-whole',
  title: 'Counting a whole session',
  module: import.meta.filename,
  name: 'whole',
  entrants: [
    ...Object.entries(estimators).map(
      ([name, estimator]): Entrant => ({
        name,
        kind: 'pith',
        enter: (material) =>
          contestant({
            name,
            prepare: () => fresh(material),
            run: (all) => all.map((messages) => messagesTokens(messages, estimator)),
          }),
      }),
    ),
    ...PEERS.map(([name, rival]) =>
      peerEntrant(
        name,
        (peer, material) =>
          contestant({
            name,
            prepare: () => fresh(material).map((messages) => peer.nativeOf(messages)),
            run: (natives) => natives.map((native) => peer.count?.(native)),
          }),
        { rival },
      ),
    ),
    everyCharacter,
  ],
}

/** One measurement is a run of this many messages. Entrants that count everything again get fewer. */
const OURS_TIMES = 200
const MORE = conversation(OURS_TIMES, 2)

/** Counting again after one more message, as an agent does before each request. */
export const oneMore: Contest = {
  slug: 'count-one-more',
  title: 'Counting after one more message',
  module: import.meta.filename,
  name: 'oneMore',
  unit: 'µs',
  entrants: [
    ...Object.entries(estimators).map(
      ([name, estimator]): Entrant => ({
        name,
        kind: 'pith',
        enter: (material) =>
          contestant({
            name,
            times: OURS_TIMES,
            prepare: () => {
              const context = openContext(logOf(fresh(material)[0] ?? []), { model, estimator })
              return { context, more: MORE.map((message) => structuredClone(message)) }
            },
            run: ({ context: first, more }) => {
              let context = first
              for (const message of more) {
                context = extendContext(context, entryAfter(context.log.last, { type: 'message', message }))
                statusIn(context)
              }
            },
          }),
      }),
    ),
    ...PEERS.map(([name, rival]) =>
      peerEntrant(
        name,
        (peer, material) => {
          const times = Math.max(3, Math.min(OURS_TIMES, Math.floor(20_000 / material.messages)))
          return contestant({
            name,
            times,
            prepare: () => {
              const native = peer.nativeOf(fresh(material)[0] ?? [])
              peer.count?.(native)
              return native
            },
            run: (native) => {
              for (const message of MORE.slice(0, times)) {
                peer.append(native, message)
                peer.count?.(native)
              }
            },
          })
        },
        { rival },
      ),
    ),
    itsCharacters(MORE),
  ],
}

export const count = speedBench(
  {
    name: 'speed/count',
    what: 'How long it takes to know how many tokens a session has, and to know it again after one more message.',
    notes: [
      'Pith: `messagesTokens`, after one more message `extendContext` and `statusIn`; with the estimator of the default policy, which reads every character, and with the same lengths ÷ 4 that pi and LangChain use.',
      'pi: `estimateTokens` of every message: length ÷ 4, no character is read. Where a provider has reported usage, pi and Pith count only what came later; here none is reported, so that all have to count.',
      'LangChain: `countTokensApproximately`: length ÷ 4. Gemini CLI: `estimateTokenCountSync`: reads texts up to 100,000 characters, takes lengths of all else.',
    ],
  },
  [whole, oneMore],
)
