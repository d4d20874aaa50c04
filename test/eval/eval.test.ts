import { describe, expect, it } from 'vitest'
import { BASELINES } from '../../src/eval/baselines.ts'
import type { Compactor } from '../../src/eval/compactor.ts'
import { madeSession } from '../../src/eval/made/made-session.ts'
import { pithCompactor } from '../../src/eval/pith-compactor.ts'
import { cutsIn } from '../../src/eval/play.ts'
import { claimsOf } from '../../src/eval/probes/claims.ts'
import { shownLedger } from '../../src/eval/probes/ledger.ts'
import { providerRefusals } from '../../src/eval/probes/validity.ts'
import { brokenGates } from '../../src/eval/report/gates.ts'
import { lastFigures, reportPage } from '../../src/eval/report/report-page.ts'
import { type EvalReport, runEval } from '../../src/eval/run-eval.ts'
import { workAt } from '../../src/eval/truth/events.ts'
import { readEvents } from '../../src/eval/truth/read-events.ts'
import type { Message } from '../../src/model/types.ts'

const SETTINGS = { windowTokens: 16_000, targetTokens: 4_000, rounds: 5 }
const SESSION = madeSession(1, 310_000)

async function reported(compactors: readonly Compactor[], rounds = 5, timeoutMs = 60_000): Promise<EvalReport> {
  const { signal } = new AbortController()
  const run = {
    pith: '1',
    set: 'made up',
    sessions: [SESSION],
    settings: { ...SETTINGS, rounds },
    signal,
    timeoutMs,
    progress: () => {},
  }
  return (await runEval({ ...run, compactors })).report
}

describe('a made-up session', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(madeSession(3, 50_000)).toEqual(madeSession(3, 50_000))
    expect(madeSession(4, 50_000).messages).not.toEqual(madeSession(3, 50_000).messages)
  })

  it.each([1, 2, 3, 4, 5, 6])('has a truth that a reader of its messages finds, too: seed %i', (seed) => {
    const { messages, events } = madeSession(seed, 150_000)
    for (const share of [0.3, 0.6, 1]) {
      // A call and its result are one step.
      let at = Math.floor(messages.length * share)
      while (messages[at]?.role === 'tool') at++
      const [written, read] = [workAt(events, at), workAt(readEvents(messages), at)]
      expect([...read.files].map(([path, { state }]) => [path, state]).toSorted()).toEqual(
        [...written.files].map(([path, { state }]) => [path, state]).toSorted(),
      )
      expect(read.checks).toEqual(written.checks)
    }
  })

  it('is taken by every provider', () => {
    for (const seed of [1, 2, 3, 4, 5]) expect(providerRefusals(madeSession(seed, 100_000).messages)).toEqual([])
  })
})

describe('a run', () => {
  const all = reported([pithCompactor('1'), ...BASELINES])
  const figures = async (name: string) => {
    const found = (await all).compactors.find((one) => one.name === name)
    if (found === undefined) throw new Error(name)
    return lastFigures(found)
  }

  it('has five compactions in a row, and gives the same bytes twice', async () => {
    expect(cutsIn(SESSION, SETTINGS)).toHaveLength(5)
    const [one, two] = [await reported([pithCompactor('1')], 2), await reported([pithCompactor('1')], 2)]
    expect(JSON.stringify(two)).toBe(JSON.stringify(one))
    expect(reportPage(two)).toBe(reportPage(one))
  })

  it('catches each baseline in another column', async () => {
    const [everything, tail, names] = [
      await figures('everything'),
      await figures('tail only'),
      await figures('names only'),
    ]
    expect(everything).toMatchObject({ facts: 1, rules: 1, ledger: 1, next: 1, fits: 0 })
    expect(tail.rules).toBeLessThan(0.5)
    expect(names).toMatchObject({ rules: 0, words: 0, ledger: 0, 'next without lists': 0, fits: 1 })
    expect([names['facts without lists'], names['facts, oldest quarter']]).toEqual([0, 0])
    expect(names.next).toBeGreaterThan(0.5)
  })

  it('sees that a compactor kept a rule only as it was before the user changed it', async () => {
    const head: Compactor = {
      name: 'head',
      from: '',
      compact: async ({ messages }) => ({ messages: messages.slice(0, 40) }),
    }
    const [report] = (await reported([head], 3)).compactors
    expect(report?.rounds.at(-1)?.figures['stale rules']).toBeGreaterThan(0)
  })

  it('keeps what a compactor does to its messages away from the session', async () => {
    const vandal: Compactor = {
      name: 'vandal',
      from: '',
      compact: async ({ messages }) => {
        for (const message of messages) Object.assign(message, { content: 'gone' })
        return { messages: [{ role: 'user', content: 'gone' }] }
      },
    }
    const report = await reported([vandal, ...BASELINES.slice(0, 1)], 1)
    expect(report.compactors[1]?.rounds.at(-1)?.figures).toMatchObject({ facts: 1 })
  })

  it('gives what the model has not read yet on top of the target, and no compactor more than the others', async () => {
    const over: Compactor = {
      name: 'over',
      from: '',
      compact: async ({ messages, windowTokens, targetTokens, unreadTokens }) => {
        const most = SETTINGS.targetTokens + unreadTokens
        if (targetTokens !== Math.min(most, 0.8 * windowTokens)) throw new Error(`${targetTokens} of ${most}`)
        return { messages }
      },
    }
    const [report] = (await reported([over], 1)).compactors
    expect(report).toMatchObject({ failures: [], rounds: [{ figures: { fits: 0 } }] })
    const good = (await all).compactors.find(({ name }) => name === 'pith')
    expect(good?.rounds.map(({ figures: { fits } }) => fits)).toEqual([1, 1, 1])
  })

  it('does not wait for ever for a compactor that ignores its signal', async () => {
    const hanging: Compactor = { name: 'hanging', from: '', compact: () => new Promise(() => {}) }
    const [report] = (await reported([hanging], 1, 1)).compactors
    expect(report?.failures[0]?.why).toBe('no answer within 0.001 seconds')
  })

  it('leaves a good compactor room to improve', async () => {
    const { facts = 1, words = 1, rules = 1, decisions = 1, ledger = 1 } = await figures('pith')
    expect((facts + words + rules + decisions + ledger) / 5).toBeLessThan(0.9)
  })

  it('reports a compactor that fails, and its gates break', async () => {
    const failing: Compactor = { name: 'failing', from: '', compact: async () => Promise.reject(new Error('no model')) }
    const [report] = (await reported([failing])).compactors
    if (report === undefined) throw new Error()
    expect(report.failures).toHaveLength(5)
    expect(brokenGates(report, [{ figure: 'rules', is: 'min', value: 1 }])).toEqual([
      'rules was not measured, and must be at least 1',
      'failed compactions: 5, first: no model',
    ])
    expect(brokenGates(report, [{ figure: 'fits', is: 'min', value: 1 }])).toHaveLength(2)
  })

  it('has figures of each round by itself, and its gates look at the last one', async () => {
    const pith = (await all).compactors.find(({ name }) => name === 'pith')
    if (pith === undefined) throw new Error('Pith is missing')
    expect(pith.rounds.map(({ sessions }) => sessions)).toEqual(pith.rounds.map(() => 1))
    const facts = pith.rounds.map((round) => round.figures.facts)
    expect(new Set(facts).size).toBe(facts.length)
    const last = facts.at(-1) ?? 0
    const most = (value: number) => brokenGates(pith, [{ figure: 'facts', is: 'max', value }])
    expect(most(last)).toEqual([])
    expect(most(last / 2)).toEqual([`facts is ${last}, and must be at most ${last / 2}`])
  })
})

describe('claims', () => {
  const work = workAt([
    { at: 0, kind: 'edit', path: '/app/src/a.ts' },
    { at: 1, kind: 'edit', path: '/app/src/b.ts' },
    { at: 2, kind: 'check', command: 'npm test', ok: false },
    { at: 3, kind: 'check', command: 'npm test', ok: true },
    { at: 4, kind: 'commit', hash: '1a2b3c4', paths: ['src/a.ts'] },
    { at: 5, kind: 'check', command: 'npm run build', ok: false },
  ])
  const said = (content: string): Message[] => [{ role: 'user', content }]
  const judged = (text: string) => {
    const { falseClaims, outdated } = shownLedger(said(text), work, 'commit 1a2b3c4')
    return { false: falseClaims.part, outdated: outdated.part, of: falseClaims.whole }
  }

  it.each([
    ['- src/a.ts: committed 1a2b3c4', { false: 0, outdated: 0, of: 2 }],
    ['- src/b.ts: committed', { false: 1, outdated: 0, of: 1 }],
    ['- src/a.ts: uncommitted', { false: 0, outdated: 1, of: 1 }],
    ['## Uncommitted\n- b.ts', { false: 0, outdated: 0, of: 1 }],
    ['`npm test` passed', { false: 0, outdated: 0, of: 1 }],
    ['`npm test` failed: 1 failed, 3 passed', { false: 0, outdated: 1, of: 1 }],
    ['`npm run build` passed', { false: 1, outdated: 0, of: 1 }],
    ['It is in commit 9999999.', { false: 1, outdated: 0, of: 1 }],
    ['Never leave b.ts committed without a test', { false: 0, outdated: 0, of: 0 }],
    ['active_committed.go, a.ts, committed.go', { false: 0, outdated: 0, of: 0 }],
  ])('in "%s"', (text, verdicts) => {
    expect(judged(text)).toEqual(verdicts)
  })

  it('are not what is quoted from the session', () => {
    const line = 'The user said that src/b.ts is committed already'
    expect(claimsOf(said(`- #12: ${line}`), work, `x ${line} y`)).toEqual([])
  })
})

describe('a provider refuses', () => {
  const call: Message = {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }],
  }
  const result: Message = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'text', value: 'x' } }],
  }
  const user: Message = { role: 'user', content: 'x' }
  it.each([
    ['a call without a result', [user, call, user], 4],
    ['a result without a call', [user, result], 4],
    ['an agent that begins', [call, result], 2],
    ['an empty text', [{ role: 'user' as const, content: '' }, call, result], 3],
    ['nothing here', [user, call, result], 0],
  ])('%s', (_, messages, providers) => {
    expect(providerRefusals(messages)).toHaveLength(providers)
  })
})
