import { describe, expect, it } from 'vitest'
import { madeSession } from '../../src/eval/made/made-session.ts'
import { providerRefusals } from '../../src/eval/probes/validity.ts'
import { runEval } from '../../src/eval/run-eval.ts'
import type { TruthEvent } from '../../src/eval/truth/events.ts'
import { readEvents } from '../../src/eval/truth/read-events.ts'

/** The bundled forms have seven agents, six languages of users and five of projects: each of them is in these sessions. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7]

describe('a made-up session', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(madeSession(3, 50_000)).toEqual(madeSession(3, 50_000))
    expect(madeSession(4, 50_000).messages).not.toEqual(madeSession(3, 50_000).messages)
  })

  it.each(SEEDS)(
    'says of each call what a reader of its messages says, or the reader does not know: seed %i',
    (seed) => {
      const { messages, events } = madeSession(seed, 300_000)
      const written = Map.groupBy(events, ({ call }) => call)
      const read = readEvents(messages).filter((event) => event.kind !== 'upheaval')
      expect(read.length).toBeGreaterThan(events.length / 3)
      for (const event of read) {
        const own = (written.get(event.call) ?? []).filter(({ kind }) => kind === event.kind).map(shape)
        // The reader does not see which files such a commit took.
        if (event.kind === 'commit' && event.paths === 'unknown') expect(own[0]).toMatchObject({ hash: event.hash })
        else expect(own).toContainEqual(shape(event))
      }
    },
  )

  it('is asked nothing that a context with all of it does not answer', async () => {
    const { signal } = new AbortController()
    const { report } = await runEval({
      pith: '1',
      sets: [{ name: 'made up', sessions: SEEDS.map((seed) => madeSession(seed, 180_000)) }],
      compactors: [{ name: 'everything', from: '', compact: async ({ messages }) => ({ messages }) }],
      settings: { windowTokens: 16_000, targetTokens: 4_000, rounds: 3 },
      signal,
      timeoutMs: 60_000,
      progress: () => {},
    })
    const [everything] = report.compactors
    expect(everything?.rounds).toHaveLength(3)
    for (const { figures } of everything?.rounds ?? [])
      expect(figures).toMatchObject({ 'user said': 1, 'files and checks': 1, 'facts at all ages': 1, 'next calls': 1 })
  })

  it('is taken by every provider', () => {
    for (const seed of SEEDS) expect(providerRefusals(madeSession(seed, 100_000).messages)).toEqual([])
  })
})

/** Tools are given whole paths, and git gets them from the folder that it is in: the last part is the same. */
function shape(event: TruthEvent): object {
  const last = (path: string) => path.split('/').at(-1)
  switch (event.kind) {
    case 'rename':
      return { ...event, path: last(event.path), to: last(event.to) }
    case 'edit':
    case 'revert':
      return { ...event, path: last(event.path) }
    case 'commit':
      return { ...event, paths: typeof event.paths === 'string' ? event.paths : event.paths.map(last).toSorted() }
    default:
      return event
  }
}
