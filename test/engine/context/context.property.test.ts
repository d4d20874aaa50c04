import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  alwaysTokens,
  type Context,
  type ContextSettings,
  estimateIn,
  fencedTokens,
  statusIn,
  withSettings,
  withView,
} from '../../../src/engine/context/context.ts'
import { extendContext, openContext, withFacts } from '../../../src/engine/context/open-context.ts'
import { foldLog, viewOf } from '../../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../../src/engine/extract/index-delta.ts'
import type { Items } from '../../../src/model/items.ts'
import type { Entry } from '../../../src/model/types.ts'
import { charactersByFour, type Estimator } from '../../../src/tokens/estimate/estimator.ts'
import type { Sizes } from '../../../src/tokens/sizes.ts'
import { anyLog, oneMoreOf } from '../../support/arbitrary-log.ts'
import { full } from '../../support/full.ts'
import { user } from '../../support/messages.ts'

const byLength: Estimator = { name: 'length', text: (text) => text.length }
const large = { provider: 'acme', model: 'large', contextWindow: 20_000 }
const fixed = { system: 'You work.'.repeat(50), tools: [{ name: 'read' }], memory: 'The port is 8443.' }
const settings: fc.Arbitrary<ContextSettings> = fc.constantFrom<ContextSettings>(
  {},
  { model: large, fixed },
  { model: { ...large, model: 'small', contextWindow: 6_000 } },
  { policy: { preset: 'koda' }, model: large },
  { policy: { preset: 'koda', keepMessages: 3 }, fixed },
  { policy: { keepTokens: 500 }, model: { contextWindow: 8_000 } },
  { estimator: byLength, model: large },
  { estimator: charactersByFour, fixed },
)
const numRuns = full ? 1_500 : 60

describe('a Context that was extended entry by entry', () => {
  it('is the one of the whole log', () => {
    const seen = { calibrated: 0, provider: 0, doubted: 0, fenced: 0, records: 0, open: 0, failures: 0 }
    fc.assert(
      fc.property(anyLog, settings, (log, given) => {
        let context = openContext([], given)
        for (const [i, entry] of log.entries()) {
          context = extendContext(context, entry)
          expect(stateOf(context), `entry ${i + 1}: ${entry.type}`).toEqual(
            stateOf(openContext(log.slice(0, i + 1), given)),
          )
        }
        note(context, seen)
      }),
      { numRuns },
    )
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
  })

  it('is never changed by that: two extensions of one Context do not affect each other', () => {
    const branches = anyLog.chain((log) =>
      fc.record({ log: fc.constant(log), one: oneMoreOf(log), other: oneMoreOf(log), at: fc.nat({ max: log.length }) }),
    )
    fc.assert(
      fc.property(branches, settings, ({ log, one, other, at }, given) => {
        const beginning = withFacts(openContext(log.slice(0, at), given), { changes: true })
        const start = withFacts(log.slice(at).reduce(extendContext, beginning), { changes: true })
        const before = [stateOf(beginning), stateOf(start), found(start)]
        const [left, right] = [extendContext(start, one), extendContext(start, other)]
        withFacts(left, { changes: true })
        extendContext(left, { ...other, seq: one.seq + 1 })
        expect(stateOf(right)).toEqual(stateOf(openContext([...log, other], given)))
        expect(stateOf(left)).toEqual(stateOf(openContext([...log, one], given)))
        expect([stateOf(beginning), stateOf(start), found(start)]).toEqual(before)
        expect(found(withFacts(right, { changes: true }))).toEqual(factsFoundIn([...log, other]))
      }),
      { numRuns },
    )
  })

  it('has the facts that a new search finds, whenever they were looked for', () => {
    fc.assert(
      fc.property(anyLog, fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 7 }), (log, looks) => {
        let context = openContext([])
        for (const [i, entry] of log.entries()) {
          context = extendContext(context, entry)
          const look = looks[i % looks.length] ?? 0
          // Sometimes none, sometimes those of a beginning, sometimes all.
          if (look > 6) context = withFacts(context, { changes: true })
          else if (look > 3) context = withFacts(context, { changes: true }, context.view.items.length >> 1)
        }
        expect(found(withFacts(context, { changes: true }))).toEqual(factsFoundIn(log))
      }),
      { numRuns },
    )
  })
})

it('a Context with other settings is one that was opened with them', () => {
  fc.assert(
    fc.property(anyLog, fc.array(settings, { minLength: 2, maxLength: 4 }), (log, [first = {}, ...others]) => {
      let context = openContext(log, first)
      for (const next of others) {
        context = withSettings(context, next)
        expect(stateOf(context)).toEqual(stateOf(openContext(log, next)))
      }
      const [more] = fc.sample(oneMoreOf(log), { numRuns: 1, seed: log.length })
      if (more === undefined) return
      expect(stateOf(extendContext(context, more))).toEqual(stateOf(openContext([...log, more], others.at(-1))))
    }),
    { numRuns },
  )
})

it('a Context that was opened beside an earlier one is the same, and so is one of a log that was folded', () => {
  fc.assert(
    fc.property(anyLog, anyLog, settings, settings, (log, other, before, now) => {
      const whole = stateOf(openContext(log, now))
      const earlier = openContext(log.slice(0, log.length >> 1), before)
      expect(stateOf(openContext(log, now, undefined, earlier))).toEqual(whole)
      expect(stateOf(openContext(log, now, foldLog(log, earlier.made), earlier))).toEqual(whole)
      expect(stateOf(openContext(log, now, undefined, openContext(other, before)))).toEqual(whole)
    }),
    { numRuns },
  )
})

it('a Context with another view measures that', () => {
  fc.assert(
    fc.property(anyLog, settings, (log, given) => {
      const context = openContext(log, given)
      const view = viewOf(log.slice(0, log.length >> 1))
      const { estimator } = context
      const other = withView(context, view)
      expect(other.sizes.items).toBe(view.items)
      expect(totalsOf(other.sizes)).toEqual(
        totalsOf(openContext(log, { ...given, estimator }, { view, made: context.made }).sizes),
      )
      expect(withView(other, context.view).sizes.totals.slice()).toEqual(context.sizes.totals.slice())
    }),
    { numRuns: numRuns / 3 },
  )
})

/** Everything that can be read from a Context. */
function stateOf(context: Context) {
  const { policy, budget, model, estimator, log, view, sizes, fixed, calibration, breaker } = context
  const pending = [user('And what is new here?')]
  return {
    ...{ policy, budget, model, breaker },
    estimator: estimator.name,
    log: log.slice(),
    view: { ...view, items: view.items.slice() },
    items: itemTotals(view.items),
    sizes: totalsOf(sizes),
    fixed: { own: fixed.own, judge: fixed.judge },
    calibration: { learned: calibration.learned, base: calibration.base, estimator: calibration.estimator.name },
    status: statusIn(context),
    statusWithPending: statusIn(context, pending),
    estimates: [estimateIn(context), estimateIn(context, pending), fencedTokens(context), alwaysTokens(context)],
  }
}

function itemTotals(items: Items) {
  const { isPlainlyValid, hasPinned, standsFor, fenced } = items
  const at = [items.lastUser(), items.openCalls(), items.unread(), items.hidden()]
  return { isPlainlyValid, hasPinned, standsFor, fenced, at }
}

type Totals = Record<'totals' | 'uncertain', number[]> & { judge?: Totals }

function totalsOf({ totals, uncertain, judge }: Sizes): Totals {
  return { totals: totals.slice(), uncertain: uncertain.slice(), ...(judge && { judge: totalsOf(judge) }) }
}

/** The facts that the items add to an index, by what was found of them, and the calls that wait for a result. */
function found({ facts: { items, found, open } }: Context) {
  const some = items.slice(0, found.length)
  return { facts: factsIn(some, undefined, found.slice()), items: some.length, open: [...open] }
}

function factsFoundIn(log: readonly Entry[]) {
  return found(withFacts(openContext(structuredClone([...log])), { changes: true }))
}

function note(context: Context, seen: Record<string, number>): void {
  const { source, doubted } = statusIn(context)
  const count = (what: string, isSo: boolean) => {
    if (isSo) seen[what] = (seen[what] ?? 0) + 1
  }
  count('calibrated', context.estimator.scale !== undefined)
  count('provider', source === 'provider')
  count('doubted', doubted !== undefined)
  count('fenced', context.view.items.fenced > 0)
  count('records', context.view.items.standsFor > 0)
  count('open', context.view.items.openCalls() > 0)
  count('failures', context.breaker.failures > 0)
}
