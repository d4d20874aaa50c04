import type { ModelSpending } from '../../../engine/inspect/spending.ts'
import type { Replay } from '../../../engine/replay/replay.ts'
import { replayTotals } from '../../../engine/replay/replay-totals.ts'
import { cheapest, type TriedTrigger } from '../../../engine/replay/triggers.ts'
import { bar, marks, sparkline } from '../../../engine/report/chart.ts'
import { count, counted, dollars, ifKnown, percentOf, short } from '../../../engine/report/numbers.ts'
import type { ModelInfo } from '../../../model/model-info.ts'
import { columns } from '../../output/columns.ts'
import { fitted, fittedPath, tinted, wrappedFacts } from '../../output/screen.ts'
import { shownModel } from '../../sessions/measured-model.ts'
import type { SessionSource } from '../../sessions/session-source.ts'

export type PlayedPolicy = { readonly name: string; readonly replay: Replay }

/** Everything that was played. */
export type Played = {
  readonly model: Partial<ModelInfo>
  readonly policies: readonly PlayedPolicy[]
  readonly triggers: readonly TriedTrigger[]
  /** What the session itself reported. */
  readonly spent: readonly ModelSpending[]
  readonly fixedTokens: number
}

/** What a session would have come to, for people: a table, a chart a policy, and which trigger is the cheapest. */
export function replayLines(source: SessionSource, played: Played, width: number): string[] {
  return [
    ...headLines(source, played, width),
    '',
    ...columns(
      [HEADER, ...recordedRow(source, played), ...played.policies.map(({ name, replay }) => row(name, replay))],
      ['left', ...HEADER.slice(1).map(() => 'right' as const)],
    ).map((line, i) => (i === 0 ? tinted(line, 'dim') : line)),
    ...overflowLines(played),
    ...chartLines(played, width),
    ...triggerLines(played, width),
    '',
    tinted('The same was said each time. What a model would have forgotten, done otherwise', 'dim'),
    tinted('or read again under another policy is not known.', 'dim'),
  ]
}

const HEADER = ['POLICY', 'COST', 'SUMMARIES', 'MEAN', 'PEAK', 'FULL', 'CACHED', 'BROKEN', 'EXPIRED']

function headLines(
  { session, name }: SessionSource,
  { model, policies, fixedTokens }: Played,
  width: number,
): string[] {
  const requests = policies[0]?.replay.requests.length ?? 0
  const { contextWindow } = model
  const facts = [
    `${shownModel(model)}, ${contextWindow === undefined ? 'window not known (--window TOKENS says it)' : `window ${count(contextWindow)}`}`,
    counted(requests, 'request'),
    `${count(fixedTokens)} tokens of prompt and tools`,
    ...(model.prices === undefined ? ['prices not known (--model names others)'] : []),
  ]
  const title = session.title === undefined ? fittedPath(name, width) : fitted(session.title, width)
  return [tinted(title, 'bold'), ...wrappedFacts(facts, width)]
}

/** What the agent itself did, as far as its file tells. */
function recordedRow({ session }: SessionSource, { spent, model }: Played): string[][] {
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

function overflowLines({ policies }: Played): string[] {
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

/** The context by request, as high as the window, compactions marked; policies that came to the same have one. */
function chartLines({ policies }: Played, width: number): string[] {
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

function triggerLines({ triggers }: Played, width: number): string[] {
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
