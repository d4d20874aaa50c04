import { expect, it } from 'vitest'
import { newestWithin } from '../../src/eval/baselines.ts'
import type { Compactor } from '../../src/eval/compactor.ts'
import { madeSession } from '../../src/eval/made/made-session.ts'
import { PLAIN_SELECTION } from '../../src/eval/plain-selection.ts'
import { randomOf } from '../../src/eval/random.ts'
import { type EvalReport, runEval } from '../../src/eval/run-eval.ts'
import { allNamesIn, messageShown } from '../../src/eval/truth/needed.ts'
import { type Message, partsOf } from '../../src/model/types.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'

/** Compactors that try to win without being of use. Each keeps the whole session, as a program may, and fills its target. */
function trick(name: string, textOf: (session: readonly Message[]) => readonly string[], between = '\n'): Compactor {
  const logs = new Map<string, Message[]>()
  return {
    name,
    from: 'a trick',
    compact: async ({ messages, session, round, targetTokens }) => {
      // After the first round the first message is the trick's own.
      const log = [...(logs.get(session) ?? []), ...messages.slice(round === 1 ? 0 : 1)]
      logs.set(session, log)
      let left = targetTokens
      const pieces = textOf(log).filter((piece) => {
        left -= featureEstimator.text(`${piece}${between}`)
        return left > 0
      })
      return { messages: [{ role: 'user', content: pieces.join(between) || '…' }] }
    },
  }
}

const namesIn = (session: readonly Message[]) => [
  ...new Set(session.toReversed().flatMap((message) => allNamesIn(messageShown(message)))),
]
const linesIn = (session: readonly Message[]) => session.flatMap((message) => messageShown(message).split('\n'))
const callsIn = (session: readonly Message[]) =>
  session.flatMap((message) => partsOf(message).flatMap((part) => (part.type === 'tool-call' ? [part.input] : [])))
const texts = (session: readonly Message[], field: RegExp) => [
  ...new Set(
    callsIn(session).flatMap((input) =>
      Object.entries(input as object).flatMap(([name, value]) =>
        field.test(name) && typeof value === 'string' ? [value] : [],
      ),
    ),
  ),
]
/** Words that no session has beside a name, the same one again after many others. */
const any = (at: number) => `word${String.fromCharCode(97 + (at % 26), 97 + (Math.floor(at / 26) % 26))}`
const contradictions = (session: readonly Message[], between: string) => [
  ...texts(session, /path/).map((path) =>
    ['committed', 'uncommitted', 'reverted'].map((state) => `${path}: ${state}`).join(between),
  ),
  ...texts(session, /^command|cmd$/).map((command) =>
    ['passed', 'failed'].map((end) => `\`${command.split('\n')[0]}\` ${end}`).join(between),
  ),
]

const TRICKS: readonly Compactor[] = [
  trick('contradictions on a line', (session) => contradictions(session, ', ')),
  trick('contradictions in lines', (session) => contradictions(session, '\n'), '\n\n'),
  trick('contradictions in paragraphs', (session) => contradictions(session, '\n\n'), '\n\n'),
  trick('names with commas', namesIn, ', '),
  trick('names in lines', namesIn),
  trick('names with signs', (session) => namesIn(session).map((name) => `${name}=1`), '&'),
  trick('names that are ok', (session) => namesIn(session).map((name) => `${name} ok`)),
  trick('guesses', (session) => [
    ...texts(session, /path/).map((path) => `${path} committed`),
    ...texts(session, /^command|cmd$/).map((command) => `\`${command.split('\n')[0]}\` ok`),
  ]),
  trick('names in sentences', (session) => namesIn(session).map((name) => `There was ${name} as well.`)),
  trick('names between any words', (session) =>
    namesIn(session).map((name, at) => `${any(at)} ${name} ${any(at + 1)}`),
  ),
  trick('all of it', (session) => [
    ...session.filter(({ role }) => role === 'user').map(messageShown),
    ...texts(session, /path/).map((path) => `${path} uncommitted`),
    ...texts(session, /^command|cmd$/).map((command) => `\`${command.split('\n')[0]}\` ok`),
    ...namesIn(session).map((name, at) => `${any(at)} ${name} ${any(at + 1)}`),
  ]),
  trick('random lines', (session) => {
    const random = randomOf(7)
    return linesIn(session)
      .map((line) => ({ line, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ line }) => line)
  }),
  trick('everything the user said', (session) => session.filter(({ role }) => role === 'user').map(messageShown)),
  trick('silence', () => []),
  {
    name: 'a message for each name',
    from: 'a trick',
    compact: async ({ messages, targetTokens }) => ({
      messages: namesIn(messages)
        .slice(0, targetTokens / 8)
        .map((content) => ({ role: 'user', content })),
    }),
  },
  {
    name: 'names in a result',
    from: 'a trick',
    compact: async ({ messages, targetTokens }) => {
      const value = namesIn(messages)
        .slice(0, targetTokens / 8)
        .join(' ')
      const call = { toolCallId: 'x', toolName: 'read' }
      return {
        messages: [
          { role: 'user', content: 'Go on.' },
          { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { names: value } }] },
          { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }] },
          ...newestWithin(messages, 0),
        ],
      }
    },
  },
]

let report: Promise<EvalReport> | undefined
async function measured(): Promise<EvalReport> {
  const { signal } = new AbortController()
  const run = {
    pith: '1',
    sets: [{ name: 'made up', sessions: [1, 2, 3, 4, 5, 6].map((seed) => madeSession(seed, 150_000)) }],
    settings: { windowTokens: 16_000, targetTokens: 4_000, rounds: 3 },
    signal,
    timeoutMs: 60_000,
    progress: () => {},
  }
  return (await runEval({ ...run, compactors: [PLAIN_SELECTION, ...TRICKS] })).report
}

it.each(TRICKS.map(({ name }) => name))('the trick “%s” does not beat the plain selection', async (name) => {
  report ??= measured()
  const { compactors, sets } = await report
  expect(sets[0]?.leftOut.filter(({ round }) => round === 3)).toEqual([])
  const found = compactors.find((one) => one.name === name)
  const plain = compactors[0]?.headline?.mean ?? 0
  expect(plain).toBeGreaterThan(0.5)
  expect(found?.headline?.mean ?? 1, JSON.stringify(found?.rounds.at(-1)?.figures)).toBeLessThan(plain / 1.5)
})
