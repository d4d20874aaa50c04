import { bar, marks, sparkline } from '../../../engine/report/chart.ts'
import { count, counted, dollars, ifKnown, percentOf, short } from '../../../engine/report/numbers.ts'
import { windowGuessText } from '../../../engine/report/status-text.ts'
import type { ModelInfo } from '../../../model/types.ts'
import type { ModelSpending } from '../../../study/inspect/inspect-log.ts'
import { cheapest, type RecordedReplay, type TriedTrigger } from '../../../study/replay/recorded-replay.ts'
import { type Replay, replayTotals } from '../../../study/replay/replay.ts'
import { columns } from '../../output/columns.ts'
import { fitted, fittedPath, tinted, wrappedFacts } from '../../output/terminal-text.ts'
import { modelLabel } from '../../sessions/measured-model.ts'
import { agentOf, type SessionSource } from '../../sessions/session-source.ts'

/** One policy and its replay. */
export type PolicyReplay = { readonly name: string; readonly replay: Replay }

/** All replays of one session. */
export type SessionReplays = {
  readonly model: Partial<ModelInfo>
  readonly policies: readonly PolicyReplay[]
  readonly triggers: readonly TriedTrigger[]
  /** The session's own cost, as it was recorded. */
  readonly spent: readonly ModelSpending[]
  /** The session as its agent compacted it, replayed like the others; absent where its file has no counts. */
  readonly recorded?: RecordedReplay
  readonly cacheLifetimeMs: number
  readonly fixedTokens: number
}

/** The replays for people: a table, a chart for each policy, and the cheapest trigger. */
export function replayLines(source: SessionSource, replays: SessionReplays, width: number): string[] {
  const { recorded } = replays
  return [
    ...headLines(source, replays, width),
    '',
    ...columns(
      [
        HEADER,
        ...(recorded === undefined ? [] : [row('as recorded', recorded)]),
        ...replays.policies.map(({ name, replay }) => row(name, replay)),
      ],
      ['left', ...HEADER.slice(1).map(() => 'right' as const)],
    ).map((line, i) => (i === 0 ? tinted(line, 'dim') : line)),
    ...recordedLines(replays, width),
    ...overflowLines(replays),
    ...chartLines(replays, width),
    ...triggerLines(replays, width),
    '',
    tinted('Each replay has the same messages. It is not known what a model would have', 'dim'),
    tinted('forgotten, done differently or read again under another policy.', 'dim'),
  ]
}

const HEADER = ['POLICY', 'COST', 'SUMMARIES', 'MEAN', 'PEAK', 'FULL', 'CACHED', 'BROKEN', 'EXPIRED']

function headLines(
  source: SessionSource,
  { model, policies, fixedTokens, cacheLifetimeMs }: SessionReplays,
  width: number,
): string[] {
  const { session, name, guess } = source
  const requests = policies[0]?.replay.requests.length ?? 0
  const { contextWindow } = model
  const facts = [
    `${modelLabel(model)}, ${contextWindow === undefined ? 'window not known (set it with --window TOKENS)' : `window ${count(contextWindow)}`}`,
    counted(requests, 'request'),
    `${count(fixedTokens)} tokens of prompt and tools`,
    `cache of ${counted(Math.round(cacheLifetimeMs / 60_000), 'minute')}`,
    ...(guess === undefined ? [] : [windowGuessText(guess, agentOf(source))]),
    ...(model.prices === undefined ? ['prices not known (--model takes those of another)'] : []),
  ]
  const title = session.title === undefined ? fittedPath(name, width) : fitted(session.title, width)
  return [tinted(title, 'bold'), ...wrappedFacts(facts, width)]
}

/** How near the replay comes to what the provider counted, where it did. */
function recordedLines({ recorded, spent }: SessionReplays, width: number): string[] {
  if (recorded === undefined) return []
  const { fidelity } = recorded
  const known = spent.flatMap(({ cost }) => cost ?? [])
  const lines = [
    "as recorded: with the agent's own compactions, replayed and priced like the others",
    ...(fidelity === undefined ? [] : [`the input costs ${apart(fidelity.inputCost)} what the provider counted`]),
    ...(known.length < spent.length
      ? []
      : [
          `the file counts ${dollars(known.reduce((sum, cost) => sum + cost, 0))}: without summaries, only the output that was noted`,
        ]),
  ]
  return lines.map((line) => tinted(`  ${fitted(line, width - 2)}`, 'dim'))
}

function apart(ratio: number): string {
  const percent = Math.abs(100 * (ratio - 1))
  return percent < 0.05 ? 'the same as' : `${percent.toFixed(1)} % ${ratio > 1 ? 'more' : 'less'} than`
}

function row(name: string, replay: Replay): string[] {
  const totals = replayTotals(replay)
  return [
    fitted(name, 16),
    ifKnown(replay.cost, dollars),
    `${totals.compactions}${totals.masks === 0 ? '' : ` +${totals.masks}`}`,
    short(totals.mean),
    short(totals.peak),
    percentOf(totals.peak, replay.window, 0),
    percentOf(totals.cacheReadTokens, totals.inputTokens, 0),
    String(totals.broken),
    String(totals.expired),
  ]
}

function overflowLines({ policies }: SessionReplays): string[] {
  const masked = policies.some(({ replay }) => replayTotals(replay).masks > 0)
  const over = policies.flatMap(({ name, replay }) => {
    const { overflowsAt } = replayTotals(replay)
    return overflowsAt === undefined ? [] : [`  ${name} does not fit into the window from request ${overflowsAt} on`]
  })
  return [
    ...(masked ? [tinted('  +n: old tool output masked, which asks no model', 'dim')] : []),
    ...over.map((line) => tinted(line, 'yellow')),
  ]
}

/** A chart of the context by request, with marks at compactions. Policies with equal contexts share one. */
function chartLines({ policies }: SessionReplays, width: number): string[] {
  const alike = Map.groupBy(policies, ({ replay }) => replay.requests.map(({ input }) => input).join())
  return [...alike.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined || first.replay.requests.length < 2) return []
    const { requests, window } = first.replay
    const inputs = requests.map(({ input }) => input)
    const reduced = requests.map(({ compacted }) => compacted !== undefined)
    const room = width - 4
    return [
      '',
      tinted(fitted(same.map(({ name }) => name).join(', '), width), 'bold'),
      `  ${tinted(sparkline(inputs, room, window ?? Math.max(...inputs)), 'cyan')}`,
      ...(reduced.includes(true) ? [`  ${marks(reduced, room, '▲')}`] : []),
    ]
  })
}

function triggerLines({ triggers }: SessionReplays, width: number): string[] {
  const best = cheapest(triggers)
  if (best === undefined) return []
  const most = Math.max(...triggers.map(({ replay }) => replay.cost ?? 0))
  const rows = triggers.map((tried) => [
    `  ${tried.triggerPercent}%`,
    short(tried.replay.trigger ?? 0),
    ifKnown(tried.replay.cost, dollars),
    tinted(bar((tried.replay.cost ?? 0) / most, Math.max(8, width - 40)), tried === best ? 'green' : 'blue'),
    tried === best ? 'cheapest' : replayTotals(tried.replay).overflowsAt === undefined ? '' : 'does not fit',
  ])
  const { cost = 0, trigger } = best.replay
  const usual = triggers.find(({ triggerPercent }) => triggerPercent === 80)?.replay.cost
  const saved = usual === undefined || usual <= cost ? '' : `, ${percentOf(usual - cost, usual, 0)} less than at 80%`
  return [
    '',
    tinted('Cost by trigger of the default policy', 'bold'),
    ...columns(rows, ['right', 'right', 'right']),
    '',
    `Cheapest for this session: ${best.triggerPercent}% (${count(trigger ?? 0)} tokens), ${dollars(cost)}${saved}`,
    tinted(`  pith config set policy.trigger_percent ${best.triggerPercent}`, 'dim'),
  ]
}
