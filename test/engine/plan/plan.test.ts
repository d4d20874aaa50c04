import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { repairDraft } from '../../../src/engine/context/view/repair.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { keptItems } from '../../../src/engine/plan/kept-items.ts'
import { type PlanInput, plan } from '../../../src/engine/plan/plan.ts'
import { skipText } from '../../../src/engine/report/skip.ts'
import type { PolicyPatch } from '../../../src/model/policy/policy.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import type { Entry, EntryDraft, Message, View } from '../../../src/model/types.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { charactersByFour, itemTokens, messagesTokens } from '../../../src/tokens/estimate/estimator.ts'
import { sizesOf, unreadOf } from '../../../src/tokens/sizes.ts'
import { status } from '../../../src/tokens/status.ts'
import { history } from '../../support/arbitrary-history.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

/**
 * Trigger and limit 15,000, ceiling 18,750, target 10,000, growth 1,875, tail 5,000. The target is set, so that the rule for
 * small windows does not hold: these are the shares of larger ones, in a window that a test fills quickly.
 */
const WINDOW = 20_000
const OF_LARGER: PolicyPatch = { targetPercent: 50 }
const NOTHING = { system: 0, tools: 0, instructions: 0, memory: 0 }

type Options = Partial<Omit<PlanInput, 'policy' | 'view'>> & { policy?: PolicyPatch; window?: number | 'unknown' }

function planOf(log: readonly Entry[], { policy: patch, window = WINDOW, ...more }: Options = {}) {
  const view = viewOf(log)
  const policy = policyOf({ ...OF_LARGER, ...patch })
  const budget = budgetOf(policy, window === 'unknown' ? undefined : window)
  return plan({ view, policy, budget, reason: 'threshold', tokens: status({ view }).tokens, ...more })
}
const planFor = (messages: readonly Message[], options?: Options) => planOf(logOf(messages), options)
const kept = (reason: string) => ({ kind: 'keep', reason })

/** A history of this many tokens in turns of 200. */
const filled = (tokens: number) => turns(tokens / 200, 400)
const words = (tokens: number) => 'x'.repeat(tokens * 4)
const compaction = (upTo: number, more: { keep?: number[]; summary?: string } = {}): EntryDraft => ({
  type: 'compaction',
  from: 1,
  upTo,
  keep: [],
  summary: 's',
  frame: 'pith',
  indexDelta: { files: [], users: [] },
  messages: upTo,
  reason: 'manual',
  rung: 'cold',
  tokensBefore: 1,
  tokensAfter: 1,
  ...more,
})

it('a plan without a budget is refused in one line that says how to make one', () => {
  const input = { view: viewOf(logOf([user('a')])), policy: policyOf(), reason: 'threshold' }
  expect(() => plan(input as PlanInput)).toThrow(
    expect.objectContaining({
      code: 'bad-argument',
      message: 'plan() needs budget, tokens: budgetOf(policy, window) makes a budget',
    }),
  )
})

describe('from a share of the trigger on, a context', () => {
  // From 12,000 tokens on; the trigger is 15,000.
  const policy = { endOfWorkPercent: 80 } as const
  const inChain = (tokens: number) => [...filled(tokens), user('Go on.'), call('c'), result('c')]

  it('is compacted at an end of work, and waits for one inside a chain of calls', () => {
    expect(planFor(filled(13_000), { policy })).toMatchObject({ kind: 'compact' })
    expect(planFor([...filled(13_000), user('Next.')], { policy })).toMatchObject({ kind: 'compact' })
    expect(planFor(filled(11_800), { policy })).toEqual(kept('under-trigger'))
    expect(planFor(inChain(13_000), { policy })).toEqual(kept('under-trigger'))
  })

  it('does not wait at the trigger', () => {
    expect(planFor(inChain(15_200), { policy })).toMatchObject({ kind: 'compact' })
  })

  it('counts only what the model has read', () => {
    expect(planFor([...filled(11_800), user(words(1_000))], { policy })).toEqual(kept('under-trigger'))
  })

  it('stays as it is in mode ask, in the presets of other systems and if the user set the trigger', () => {
    for (const preset of ['koda', 'agent', 'kit'] as const)
      expect(planFor(filled(13_000), { policy: { preset } })).toMatchObject({ kind: 'keep' })
    expect(planFor(filled(13_000), { policy: { ...policy, mode: 'ask' } })).toEqual(kept('under-trigger'))
    expect(planFor(filled(13_000), { policy: { preset: 'full-window' } })).toMatchObject({ kind: 'compact' })
    expect(planFor(filled(13_000), { policy: { preset: 'full-window', triggerPercent: 80 } })).toEqual(
      kept('under-trigger'),
    )
  })

  it('still grows after an undo before the next end of work counts', () => {
    const log = logOf(filled(13_000))
    const undone = appended(appended(log, [compaction(10)]), [{ type: 'undo', of: log.length + 1 }])
    const grown = (tokens: number) =>
      appended(undone, [
        { type: 'message', message: user(words(tokens / 2)) },
        { type: 'message', message: assistant(words(tokens / 2)) },
      ])
    expect(planOf(undone, { policy })).toEqual(kept('not-grown'))
    expect(planOf(grown(1_000), { policy })).toEqual(kept('not-grown'))
    expect(planOf(grown(4_200), { policy })).toMatchObject({ kind: 'compact' })
  })
})

describe('when the provider has forgotten the last request', () => {
  const cold = { cacheCold: true } as const

  it('a context is compacted earlier, because all of it is written again in any case', () => {
    expect(planFor(filled(13_000))).toEqual(kept('under-trigger'))
    expect(planFor(filled(13_000), cold)).toMatchObject({ kind: 'compact' })
    expect(planFor(filled(11_000), cold)).toEqual(kept('under-trigger'))
  })

  it('no model is asked for that, and a trigger that the user set is not brought forward', () => {
    expect(planFor(filled(13_000), { ...cold, policy: { mode: 'ask' } })).toEqual(kept('under-trigger'))
    expect(planFor(filled(13_000), { ...cold, policy: { triggerPercent: 80 } })).toEqual(kept('under-trigger'))
    const chain = [...filled(13_000), user('Go on.'), call('c'), result('c')]
    expect(planFor(chain, { ...cold, policy: { preset: 'full-window' } })).toEqual(kept('under-trigger'))
  })

  it('it still waits for growth after a change', () => {
    const log = appended(logOf(filled(13_000)), [compaction(4)])
    expect(planOf(log, cold)).toEqual(kept('not-grown'))
  })
})

describe('the plan is to keep the view as it is', () => {
  it('when it is empty', () => {
    expect(planFor([], { reason: 'manual' })).toEqual(kept('empty'))
  })

  it('when automatic compaction is off, even if the provider has refused', () => {
    for (const reason of ['threshold', 'overflow', 'limit'] as const) {
      expect(planFor(filled(19_000), { policy: { mode: 'off' }, reason })).toEqual(kept('automatic-off'))
    }
  })

  it('while the breaker is open', () => {
    const policy: PolicyPatch = { rungs: ['cold'] }
    expect(planFor(filled(19_000), { policy, breaker: 'open' })).toEqual(kept('breaker-open'))
    expect(planFor(filled(19_000), { policy, breaker: 'open', reason: 'overflow' })).toEqual(kept('breaker-open'))
    expect(planFor(filled(19_000), { policy, breaker: 'half-open' }).kind).toBe('compact')
  })

  it('not for an open breaker when the policy can do without a model', () => {
    expect(planFor(filled(19_000), { breaker: 'open' }).kind).toBe('compact')
  })

  it('when the trigger is not known', () => {
    expect(planFor(filled(100_000), { window: 'unknown' })).toEqual(kept('window-unknown'))
    expect(planFor(filled(100_000), { window: 'unknown', policy: { tokenLimit: 50_000 } }).kind).toBe('compact')
  })

  it('below the trigger, and not from there on', () => {
    expect(planFor(filled(16_000), { tokens: 14_999 })).toEqual(kept('under-trigger'))
    expect(planFor(filled(16_000), { tokens: 15_000 }).kind).toBe('compact')
  })

  it('while tool calls are pending, even if the user asks', () => {
    for (const reason of ['manual', 'threshold'] as const) {
      expect(planFor([...filled(16_000), call('x')], { reason })).toEqual(kept('pending-tool-calls'))
    }
  })

  it('but not for a call after the last entry that may be compacted', () => {
    const messages = [...filled(16_000), user('go'), call('a'), result('a'), call('x')]
    const end = messages.length - 1
    for (const policy of [{ keepMessages: 0 }, {}, { preset: 'keen' }, { preset: 'kit' }] as const) {
      const planned = planFor(messages, { policy, reason: 'manual', upTo: end })
      expect(planned).toMatchObject({ kind: 'compact' })
      expect(planned.kind === 'compact' && planned.cut).toBeLessThanOrEqual(end)
    }
    expect(planFor(messages, { policy: { keepMessages: 0 }, reason: 'manual', upTo: end })).toMatchObject({ cut: end })
    expect(planFor(messages, { reason: 'manual', upTo: end - 1 })).toEqual(kept('pending-tool-calls'))
  })

  it('when there is too little before the cut', () => {
    expect(planFor([user('a')], { reason: 'manual' })).toEqual(kept('too-short'))
    expect(planFor(turns(3), { policy: { preset: 'koda', keepMessages: 5 }, reason: 'manual' })).toEqual(
      kept('too-short'),
    )
  })

  it('when a policy without a tail would leave the model no message to answer', () => {
    const options: Options = { policy: { preset: 'keen', mode: 'auto' }, reason: 'overflow' }
    expect(planFor([user('a'), user('b')], options)).toEqual(kept('too-short'))
  })

  it('when there is no place to cut', () => {
    const messages = [user('a'), call('x'), user('b'), assistant('c'), user('d'), result('x')]
    expect(planFor(messages, { policy: { preset: 'koda', keepMessages: 2 }, reason: 'manual' })).toEqual(
      kept('no-legal-cut'),
    )
  })

  it('when nothing was said since the last compaction', () => {
    const log = appended(logOf(filled(4_000)), [compaction(20)])
    expect(planOf(log, { reason: 'manual' })).toEqual(kept('nothing-new'))
  })

  it('when only an earlier summary and pinned messages are before the cut', () => {
    const options: Options = { policy: { preset: 'keen' }, reason: 'manual' }
    const log = appended(logOf(filled(4_000)), [{ type: 'pin', target: 2, on: true }, compaction(40, { keep: [2] })])
    expect(viewOf(log).items.length).toBe(2)
    expect(planOf(log, options)).toEqual(kept('nothing-to-gain'))
    expect(planOf(appended(log, [{ type: 'message', message: user('more') }]), options).kind).toBe('compact')
  })

  it('but not when that summary alone is more than the window holds', () => {
    const log = appended(logOf(filled(4_000)), [compaction(40, { summary: words(3_000) })])
    const options: Options = { policy: { preset: 'keen' }, reason: 'manual' }
    expect(planOf(log, { ...options, window: 2_000 }).kind).toBe('compact')
    expect(planOf(log, { ...options, window: 4_000 })).toEqual(kept('nothing-to-gain'))
    expect(planOf(log, { policy: { preset: 'keen', mode: 'auto' }, reason: 'overflow' }).kind).toBe('compact')
  })

  it('but not when that summary alone fills the window to its last token', () => {
    const log = appended(logOf(filled(4_000)), [compaction(40, { summary: words(3_000) })])
    const { tokens } = status({ view: viewOf(log) })
    const options: Options = { policy: { preset: 'keen', reserveTokens: 0 }, reason: 'manual' }
    expect(planOf(log, { ...options, window: tokens }).kind).toBe('compact')
    expect(planOf(log, { ...options, window: tokens + 1 })).toEqual(kept('nothing-to-gain'))
  })

  it('for reasons that each have words of their own', () => {
    const reasons = ['empty', 'automatic-off', 'breaker-open', 'window-unknown', 'under-trigger', 'not-grown'] as const
    expect(new Set(reasons.map(skipText)).size).toBe(reasons.length)
  })
})

describe('a user who asks', () => {
  it('is not stopped by mode, breaker, trigger, growth or an unknown window', () => {
    const options: Options[] = [{ policy: { mode: 'off' } }, { breaker: 'open' }, { tokens: 1 }, { window: 'unknown' }]
    for (const option of options) expect(planFor(filled(4_000), { ...option, reason: 'manual' }).kind).toBe('compact')
    const log = appended(logOf(filled(4_000)), [compaction(2)])
    expect(planOf([...log, ...more(log, [user('b'), assistant('c')])], { reason: 'manual' }).kind).toBe('compact')
  })

  it('sees an effect on a small history too: most of it goes', () => {
    const messages = filled(2_000)
    const decision = planFor(messages, { reason: 'manual', window: 200_000 })
    expect(decision).toMatchObject({ kind: 'compact' })
    if (decision.kind === 'compact') expect(decision.cut).toBeGreaterThanOrEqual(messages.length * 0.7)
  })
})

describe('after a change of the view', () => {
  const undone = (tokens: number) => {
    const log = logOf(filled(tokens))
    return appended(log, [compaction(10), { type: 'undo', of: log.length + 1 }])
  }

  it('the next compaction waits until the context has grown', () => {
    const log = undone(15_200)
    expect(planOf(log)).toEqual(kept('not-grown'))
    expect(planOf([...log, ...more(log, [user(words(1_999))])])).toEqual(kept('not-grown'))
    expect(planOf([...log, ...more(log, [user(words(2_000)), assistant('ok')])]).kind).toBe('compact')
  })

  it('it does not wait near the limit, where the next answer may not fit', () => {
    expect(planOf(undone(18_600))).toEqual(kept('not-grown'))
    expect(planOf(undone(18_800)).kind).toBe('compact')
  })

  it('it does not wait when the provider has refused', () => {
    expect(planOf(undone(15_200), { reason: 'overflow' }).kind).toBe('compact')
  })

  it('it waits for a tenth of the window after an undo, though the policy does not', () => {
    const policy: PolicyPatch = { growthPercent: 0 }
    const log = undone(15_200)
    expect(planOf([...log, ...more(log, [user(words(1_999))])], { policy })).toEqual(kept('not-grown'))
    expect(planOf([...log, ...more(log, [user(words(2_000)), assistant('ok')])], { policy }).kind).toBe('compact')
    const compacted = appended(logOf(filled(16_000)), [compaction(4)])
    expect(planOf([...compacted, ...more(compacted, [user('b')])], { policy, tokens: 15_500 }).kind).toBe('compact')
  })

  it('it waits for a tenth of the trigger after an undo if the window is unknown', () => {
    const options: Options = { window: 'unknown', policy: { growthPercent: 0, tokenLimit: 15_000 } }
    const log = undone(15_200)
    expect(planOf([...log, ...more(log, [user(words(1_499))])], options)).toEqual(kept('not-grown'))
    expect(planOf([...log, ...more(log, [user(words(1_500)), assistant('ok')])], options).kind).toBe('compact')
  })

  it('a compaction counts too', () => {
    const log = appended(logOf(filled(16_000)), [compaction(4)])
    expect(planOf(log, { tokens: 15_500 })).toEqual(kept('not-grown'))
  })
})

describe('the cut of the default policy', () => {
  it('keeps a tail of whole turns within its budget', () => {
    const decision = planFor(filled(16_000), { recordTokens: 1_000 })
    if (decision.kind !== 'compact') throw new Error(decision.kind)
    const view = viewOf(logOf(filled(16_000)))
    expect(view.items.at(decision.cut)?.message.role).toBe('user')
    expect(decision.splitTurn).toBe(false)
    expect(tailTokens(view, decision.cut)).toBeGreaterThan(4_000)
    expect(tailTokens(view, decision.cut)).toBeLessThanOrEqual(5_000)
  })

  it('keeps a smaller tail if the record needs its whole share', () => {
    const view = viewOf(logOf(filled(16_000)))
    const tailBeside = (recordTokens?: number) => {
      const decision = planFor(filled(16_000), { recordTokens })
      return decision.kind === 'compact' ? tailTokens(view, decision.cut) : undefined
    }
    expect(tailBeside()).toBeLessThan(tailBeside(1_000) ?? 0)
    expect(tailBeside()).toBe(tailBeside(90_000))
    expect(tailBeside()).toBeGreaterThan(2_000)
  })

  it('keeps a smaller tail if system prompt and tools leave less room', () => {
    const view = viewOf(logOf(filled(16_000)))
    const tailWith = (system: number) => {
      const decision = planFor(filled(16_000), { fixed: { ...NOTHING, system } })
      return decision.kind === 'compact' ? tailTokens(view, decision.cut) : undefined
    }
    expect(tailWith(6_000)).toBeLessThan(tailWith(0) ?? 0)
    expect(tailWith(6_000)).toBeGreaterThan(0)
  })

  it('makes room for what is pending', () => {
    const view = viewOf(logOf(filled(16_000)))
    const decision = planFor(filled(16_000), { pendingTokens: 6_000 })
    if (decision.kind !== 'compact') throw new Error(decision.kind)
    expect(tailTokens(view, decision.cut)).toBeLessThan(3_000)
    // The target does not count what is pending, the limit does.
    expect(decision.bounds).toMatchObject({ target: 9_000, limit: 15_000, unread: 6_000 })
  })

  it('gives the start of the turn that it is in', () => {
    const steps = Array.from({ length: 40 }, (_, i) => [call(`c${i}`), result(`c${i}`, words(400))]).flat()
    const decision = planFor([user('a'), assistant('b'), user('long work'), ...steps])
    expect(decision).toMatchObject({ kind: 'compact', splitTurn: true, turnStart: 2 })
  })

  it('is found in a session of one large request, which is counted once', () => {
    const steps = Array.from({ length: 25 }, (_, i) => assistant(`${i} ${words(400)}`))
    expect(planFor([user(words(6_000)), ...steps]).kind).toBe('compact')
  })

  it('leaves the record its share beside what stays verbatim', () => {
    let checked = 0
    fc.assert(
      fc.property(history, fc.constantFrom(2_000, 8_000, 32_000), (messages, window) => {
        const log = logOf(messages)
        const repair = repairDraft(viewOf(log).items.slice(), { pending: 'allowed' })
        const repaired = repair === undefined ? log : appended(log, [repair])
        const decision = planOf(repaired, { reason: 'manual', window })
        if (decision.kind !== 'compact' || decision.squeezes.length > 0) return
        checked++
        const view = viewOf(repaired)
        const { from } = unreadOf(sizesOf(view.items, charactersByFour))
        const verbatim = [...keptItems(view, decision.cut, policyOf()), ...view.items.slice(decision.cut, from)]
        const tokens = messagesTokens(
          verbatim.map((item) => item.message),
          charactersByFour,
        )
        const { summaryTokens, recordTokens } = decision.allowances
        expect(summaryTokens).toBeLessThanOrEqual(recordTokens)
        expect(tokens + recordTokens).toBeLessThanOrEqual(decision.bounds?.target ?? 0)
      }),
    )
    expect(checked).toBeGreaterThan(10)
  })

  it('comes with a squeeze for what stays and is too large by itself', () => {
    const decision = planFor([...filled(4_000), user(words(16_000))])
    expect(decision).toMatchObject({ kind: 'compact', squeezes: [{ target: 41 }] })
    const read = planFor([...filled(4_000), user(words(12_000)), assistant('ok')])
    expect(read).toMatchObject({ kind: 'compact', squeezes: [{ target: 41 }] })
  })

  it('gives way to a squeeze alone if there is nothing to summarise', () => {
    const decision = planFor([user(words(16_000))])
    expect(decision).toMatchObject({ kind: 'squeeze', squeezes: [{ target: 1 }] })
  })
})

describe('a policy that need not fit the target', () => {
  it('keeps its messages, and needs enough of them before', () => {
    const options: Options = { policy: { preset: 'koda' }, reason: 'manual' }
    expect(planFor(turns(5), options)).toMatchObject({ kind: 'compact', cut: 6, squeezes: [] })
    expect(planFor(turns(3), options)).toMatchObject({ kind: 'compact', cut: 2 })
    expect(planFor(turns(3).slice(1), options)).toEqual(kept('too-short'))
    expect(planFor([], options)).toEqual(kept('too-short'))
  })

  it('leaves the summary the whole allowance', () => {
    const decision = planFor(turns(5), {
      policy: { preset: 'koda' },
      reason: 'manual',
      fixed: { ...NOTHING, system: 19_000 },
    })
    expect(decision).toMatchObject({ allowances: { room: Number.POSITIVE_INFINITY, summaryTokens: 2_000 } })
  })

  it('summarises all of it if it keeps no tail', () => {
    const options: Options = { policy: { preset: 'keen' }, reason: 'manual' }
    expect(planFor(turns(2), options)).toMatchObject({ kind: 'compact', cut: 4 })
    expect(planFor(turns(1).slice(1), options)).toMatchObject({ kind: 'compact', cut: 1 })
    expect(planFor([], options)).toEqual(kept('empty'))
    expect(planFor(turns(2), { ...options, policy: { preset: 'keen', minSpanMessages: 5 } })).toEqual(kept('too-short'))
  })

  it('keeps a tail in tokens, and cuts before the last message for a user who asks', () => {
    const options: Options = { policy: { preset: 'kit' }, window: 200_000, tokens: 190_000 }
    expect(planFor(filled(30_000), options)).toMatchObject({ kind: 'compact', cut: 100 })
    expect(planFor(turns(3), options)).toEqual(kept('too-short'))
    expect(planFor(turns(3), { ...options, reason: 'manual' })).toMatchObject({ kind: 'compact', cut: 5 })
    expect(planFor(filled(30_000), { ...options, reason: 'manual' })).toMatchObject({ kind: 'compact', cut: 100 })
  })

  it("obeys the caller's rules for cuts", () => {
    const cutRules: PlanInput['cutRules'] = [() => (index) => index % 4 === 1]
    expect(planFor(turns(5), { policy: { preset: 'koda' }, reason: 'manual', cutRules })).toMatchObject({ cut: 5 })
    const options: Options = { policy: { preset: 'kit' }, window: 200_000, reason: 'manual', cutRules }
    expect(planFor(filled(30_000), options)).toMatchObject({ cut: 101 })
    expect(planFor(turns(4), options)).toMatchObject({ cut: 5 })
  })
})

describe('what cannot be compacted and leaves no room for a record', () => {
  const largest = (messages: readonly Message[], options: Options) => {
    const decision = planFor(messages, options)
    return decision.kind === 'keep' && decision.reason === 'floor-too-large' ? decision.largest : decision
  }

  it.each([
    ['system', /system prompt/],
    ['tools', /tool/],
    ['instructions', /instructions/],
    ['memory', /memory/],
  ] as const)('is named when it is the %s', (part, name) => {
    const fixed = { system: 4_000, tools: 4_000, instructions: 4_000, memory: 4_000, [part]: 9_000 }
    expect(largest(filled(16_000), { fixed })).toMatch(name)
  })

  it('is named when it is what is pending', () => {
    expect(largest(filled(16_000), { fixed: { ...NOTHING, system: 100 }, pendingTokens: 19_000 })).toMatch(/pending/)
  })

  it('is named when it is the latest message, though there is a system prompt', () => {
    const messages = [...filled(4_000), user(words(19_000))]
    const policy: PolicyPatch = { rungs: ['cold'] }
    expect(largest(messages, { policy, fixed: NOTHING })).toMatch(/latest message/)
    expect(largest(messages, { policy, fixed: { ...NOTHING, system: 100 } })).toMatch(/latest message/)
  })

  it('is named when it is what was pinned', () => {
    const log = appended(logOf([user(words(19_000)), ...filled(4_000)]), [{ type: 'pin', target: 1, on: true }])
    expect(planOf(log, { policy: { rungs: ['cold'] } })).toMatchObject({
      reason: 'floor-too-large',
      largest: expect.stringMatching(/pinned/),
    })
  })

  it('is named when it is the result of a call that was pinned', () => {
    const messages = [user('a'), call('x'), result('x', words(19_000)), ...filled(4_000)]
    const log = appended(logOf(messages), [{ type: 'pin', target: 2, on: true }])
    expect(planOf(log, { policy: { rungs: ['cold'] }, fixed: { ...NOTHING, system: 300 } })).toMatchObject({
      reason: 'floor-too-large',
      largest: expect.stringMatching(/pinned/),
    })
  })
})

function tailTokens(view: View, cut: number): number {
  return itemTokens(view.items, cut, view.items.length, charactersByFour)
}

function more(log: readonly Entry[], messages: readonly Message[]): Entry[] {
  return appended(
    log,
    messages.map((message) => ({ type: 'message', message })),
  ).slice(log.length)
}
