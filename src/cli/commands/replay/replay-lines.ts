import type { ModelSpending } from '../../../engine/inspect/spending.ts'
import type { Replay } from '../../../engine/replay/replay.ts'
import { replayTotals } from '../../../engine/replay/replay-totals.ts'
import { cheapest, type TriedTrigger } from '../../../engine/replay/triggers.ts'
import { bar, marks, sparkline } from '../../../engine/report/chart.ts'
import { count, counted, dollars, ifKnown, percentOf, short } from '../../../engine/report/numbers.ts'
import { windowGuessText } from '../../../engine/report/window-guess.ts'
import type { ModelInfo } from '../../../model/model-info.ts'
import { columns } from '../../output/columns.ts'
import { fitted, fittedPath, tinted, wrappedFacts } from '../../output/terminal-text.ts'
import { modelLabel } from '../../sessions/measured-model.ts'
import type { SessionSource } from '../../sessions/session-source.ts'

/** One policy and its replay. */
export type PolicyReplay = { readonly name: string; readonly replay: Replay }

/** All replays of one session. */
export type SessionReplays = {
  readonly model: Partial<ModelInfo>
  readonly policies: readonly PolicyReplay[]
  readonly triggers: readonly TriedTrigger[]
  /** The session's own cost, as it was recorded. */
  readonly spent: readonly ModelSpending[]
  readonly fixedTokens: number
}

/** The replays for people: a table, a chart for each policy, and the cheapest trigger. */
export function replayLines(source: SessionSource, replays: SessionReplays, width: number): string[] {
  return [
    ...headLines(source, replays, width),
    '',
    ...columns(
      [HEADER, ...recordedRow(source, replays), ...replays.policies.map(({ name, replay }) => row(name, replay))],
      ['left', ...HEADER.slice(1).map(() => 'right' as const)],
    ).map((line, i) => (i === 0 ? tinted(line, 'dim') : line)),
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
  { session, name, guess }: SessionSource,
  { model, policies, fixedTokens }: SessionReplays,
  width: number,
): string[] {
  const requests = policies[0]?.replay.requests.length ?? 0
  const { contextWindow } = model
  const facts = [
    `${modelLabel(model)}, ${contextWindow === undefined ? 'window not known (set it with --window TOKENS)' : `window ${count(contextWindow)}`}`,
    counted(requests, 'request'),
    `${count(fixedTokens)} tokens of prompt and tools`,
    ...(guess === undefined ? [] : [windowGuessText(guess, session.agent)]),
    ...(model.prices === undefined ? ['prices not known (--model takes those of another)'] : []),
  ]
  const title = session.title === undefined ? fittedPath(name, width) : fitted(session.title, width)
  return [tinted(title, 'bold'), ...wrappedFacts(facts, width)]
}

/** The row of the session as it was recorded. */
function recordedRow({ session }: SessionSource, { spent, model }: SessionReplays): string[][] {
  if (spent.length === 0) return []
  const inputs = session.entries.flatMap((entry) => (entry.type === 'message' ? (entry.usage?.inputTokens ?? []) : []))
  const peak = Math.max(...inputs)
  const input = spent.reduce((sum, { usage }) => sum + usage.inputTokens, 0)
  const read = spent.reduce((sum, { usage }) => sum + (usage.cacheReadTokens ?? 0), 0)
  const cost = spent.every((one) => one.cost !== undefined)
    ? spent.reduce((sum, one) => sum + (one.cost ?? 0), 0)
    : undefined
  const mean = inputs.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, inputs.length)
  return [
    [
      'as recorded',
      ifKnown(cost, dollars),
      String(session.compactions.length),
      short(mean),
      short(peak),
      percentOf(peak, model.contextWindow, 0),
      percentOf(read, input, 0),
      '',
      '',
    ],
  ]
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
