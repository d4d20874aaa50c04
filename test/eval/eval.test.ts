import { describe, expect, it } from 'vitest'
import { BASELINES } from '../../src/eval/baselines.ts'
import type { Compactor } from '../../src/eval/compactor.ts'
import { type Forms, readForms } from '../../src/eval/made/forms.ts'
import { madeSession } from '../../src/eval/made/made-session.ts'
import { pithCompactor } from '../../src/eval/pith-compactor.ts'
import { PLAIN_SELECTION } from '../../src/eval/plain-selection.ts'
import { cutsIn } from '../../src/eval/play.ts'
import { providerRefusals } from '../../src/eval/probes/validity.ts'
import { brokenGates } from '../../src/eval/report/gates.ts'
import { reportPage } from '../../src/eval/report/report-page.ts'
import { type EvalReport, runEval } from '../../src/eval/run-eval.ts'
import type { Message } from '../../src/model/types.ts'

const SETTINGS = { windowTokens: 16_000, targetTokens: 4_000, rounds: 5 }
/** Short scenes, so that a small window has enough to ask about. */
const SCENES: Forms['scenes'] = [
  [2, 'rule read edit check commit done'],
  [1, 'mixed look edit fail edit check done'],
  [1, 'ask settle edit takeback revert done'],
]
const SESSION = madeSession(1, 310_000, { ...readForms().forms, scenes: SCENES })

async function reported(compactors: readonly Compactor[], rounds = 5, timeoutMs = 60_000): Promise<EvalReport> {
  const { signal } = new AbortController()
  const run = {
    pith: '1',
    sets: [{ name: 'made up', sessions: [SESSION] }],
    settings: { ...SETTINGS, rounds },
    signal,
    timeoutMs,
    progress: () => {},
  }
  return (await runEval({ ...run, compactors })).report
}

const EVERYTHING: Compactor = { name: 'everything', from: '', compact: async ({ messages }) => ({ messages }) }

describe('a run', () => {
  const all = reported([pithCompactor('1'), ...BASELINES, EVERYTHING])
  const last = async (name: string) => {
    const round = (await all).compactors.find((one) => one.name === name)?.rounds.at(-1)
    if (round === undefined) throw new Error(name)
    return round
  }

  it('has five compactions in a row, and gives the same bytes twice', async () => {
    expect(cutsIn(SESSION, SETTINGS)).toHaveLength(5)
    const [one, two] = [await reported([pithCompactor('1')], 2), await reported([pithCompactor('1')], 2)]
    expect(JSON.stringify(two)).toBe(JSON.stringify(one))
    expect(reportPage(two)).toBe(reportPage(one))
  })

  it('gives a context with everything in it all that is asked, and says that it does not fit', async () => {
    const { figures, parts, passes } = await last('everything')
    expect(figures).toMatchObject({ 'user said': 1, 'facts at all ages': 1 })
    expect(parts).toMatchObject({ facts: 1, rules: 1, ledger: 1, next: 1, 'next without lists': 1, fits: 0 })
    expect(passes).toEqual({ valid: 'pass', fits: 'fail: 1 of 1 too long', invented: 'pass' })
  })

  it('gives the newest messages little, and names without words nothing', async () => {
    expect((await last('tail only')).parts.rules).toBeLessThan(0.5)
    const { figures, parts, passes } = await last('names only')
    expect(figures).toMatchObject({ 'user said': 0, 'facts at all ages': 0 })
    expect(parts).toMatchObject({ ledger: 0, 'next without lists': 0 })
    expect(parts.next).toBeGreaterThan(0.5)
    expect(passes.fits).toBe('pass')
  })

  it('sees that a compactor kept a rule only as it was before the user changed it', async () => {
    const head: Compactor = {
      name: 'head',
      from: '',
      compact: async ({ messages }) => ({ messages: messages.slice(0, 40) }),
    }
    const [report] = (await reported([head], 3)).compactors
    expect(report?.rounds.at(-1)?.parts['stale rules']).toBeGreaterThan(0)
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
    const report = await reported([vandal, EVERYTHING], 1)
    expect(report.compactors[1]?.rounds.at(-1)?.parts).toMatchObject({ facts: 1 })
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
    expect(report).toMatchObject({ failures: [], rounds: [{ parts: { fits: 0 } }] })
    if (report === undefined) throw new Error()
    expect(brokenGates(report, [{ figure: 'headline', is: 'min', value: 0.5 }])).toEqual([
      'headline does not count: its contexts fail fits',
    ])
    const good = (await all).compactors.find(({ name }) => name === 'pith')
    expect(good?.rounds.map(({ parts: { fits } }) => fits)).toEqual([1, 1, 1, 1, 1])
  })

  it('does not wait for ever for a compactor that ignores its signal', async () => {
    const hanging: Compactor = { name: 'hanging', from: '', compact: () => new Promise(() => {}) }
    const [report] = (await reported([hanging], 1, 1)).compactors
    expect(report?.failures[0]?.why).toBe('no answer within 0.001 seconds')
  })

  it('counts a compaction that failed as if nothing were left, and its gates break', async () => {
    const failing: Compactor = { name: 'failing', from: '', compact: async () => Promise.reject(new Error('no model')) }
    const [report] = (await reported([failing])).compactors
    if (report === undefined) throw new Error()
    expect(report.failures).toHaveLength(5)
    expect(report.rounds.map(({ parts, passes }) => [parts.rules, passes.valid])).toEqual(
      report.rounds.map(() => [0, 'fail: 4 of 4 providers']),
    )
    expect(brokenGates(report, [{ figure: 'rules', is: 'min', value: 1 }])).toEqual([
      'rules is 0 after compaction 1, and must be at least 1',
      'failed compactions: 5, first: no model',
    ])
  })

  it('reports every round with the same sessions in every column, and its gates hold in each of them', async () => {
    const { compactors } = await all
    for (const { rounds } of compactors)
      expect(rounds.map(({ round, sessions }) => [round, sessions])).toEqual([1, 2, 3, 4, 5].map((round) => [round, 1]))
    const pith = compactors.find(({ name }) => name === 'pith')
    if (pith === undefined) throw new Error('Pith is missing')
    const facts = pith.rounds.map(({ parts }) => parts.facts ?? 0)
    const least = (value: number) => brokenGates(pith, [{ figure: 'facts', is: 'min', value }])
    expect(least(Math.min(...facts))).toEqual([])
    const first = facts[0] ?? 0
    expect(least(first)).toEqual([
      `facts is ${facts.find((one) => one < first)} after compaction ${facts.findIndex((one) => one < first) + 1}, and must be at least ${first}`,
    ])
    expect(brokenGates(pith, [{ figure: 'user said', is: 'min', value: 1.1 }])).toHaveLength(1)
  })

  it('has a headline of the third round with an interval, and the difference to the plain selection', async () => {
    const { compactors, headlineRound } = await reported([EVERYTHING, PLAIN_SELECTION, ...BASELINES])
    const [everything, plain, , names] = compactors
    expect(headlineRound).toBe(3)
    expect(everything?.headline).toEqual({ mean: 1, low: 1, high: 1 })
    expect(plain?.gap).toBeUndefined()
    expect(everything?.gap?.mean).toBeCloseTo(1 - (plain?.headline?.mean ?? 0), 3)
    expect(names?.headline?.mean).toBe(0)
  })

  it('leaves a row that asks too little out of every column, and says so', async () => {
    const { messages, events } = SESSION
    const quiet = { name: 'quiet', messages, events: events.filter(({ kind }) => kind === 'rule') }
    const { signal } = new AbortController()
    const { report } = await runEval({
      pith: '1',
      sets: [{ name: 'quiet', sessions: [quiet] }],
      compactors: [EVERYTHING, ...BASELINES],
      settings: SETTINGS,
      signal,
      timeoutMs: 60_000,
      progress: () => {},
    })
    expect(report.compactors.map(({ rounds }) => rounds[2]?.figures['files and checks'])).toEqual(
      report.compactors.map(() => undefined),
    )
    expect(report.compactors[0]?.headline?.mean).toBe(1)
    expect(reportPage(report)).toContain('“files and checks” is left out: 0 questions')
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
