import { bar, marks, sparkline } from '../../../engine/report/chart.ts'
import { count, counted, dollars, ifKnown, percentOf, short } from '../../../engine/report/numbers.ts'
import { windowGuessText, windowText } from '../../../engine/report/status-text.ts'
import type { PolicyPatch } from '../../../model/policy/policy.ts'
import { presetSchema } from '../../../model/policy/policy-schema.ts'
import { policyOf } from '../../../model/policy/presets.ts'
import { nearest } from '../../../model/problems/problem-text.ts'
import type { ModelInfo } from '../../../model/types.ts'
import { modelNamed } from '../../../models/registry.ts'
import { summaryModels } from '../../../models/summary-models.ts'
import { type ModelSpending, spendingOf } from '../../../study/inspect/inspect-log.ts'
import { CACHE_LIFETIMES, measureLog } from '../../../study/replay/measured-log.ts'
import {
  cheapest,
  lowestMeasured,
  type RecordedReplay,
  replayRecorded,
  type TriedTrigger,
  tryTriggers,
} from '../../../study/replay/recorded-replay.ts'
import { type Replay, replay, replayTotals } from '../../../study/replay/replay.ts'
import { columns, fitted, fittedPath, print, printJson, screenWidth, tinted, wrappedFacts } from '../../output/show.ts'
import { UsageError } from '../../process/exit-codes.ts'
import { agentOf, measuredModel, modelLabel, openSource, type SessionSource } from '../../sessions/session-source.ts'
import { loadSetup, type Setup } from '../../setup/setup.ts'
import type { ReplayFlags } from './replay.ts'

/** Prints the cost and the context that a session would have had under each policy. */
export async function replaySession(what: string, flags: ReplayFlags): Promise<void> {
  const setup = loadSetup({})
  const named = namedPolicies(flags.policy, setup.config.settings.policy)
  const source = await openSource(what, setup)
  const { model, guess } = measuredModel(source, flags, setup)
  const replays = await play(source, { model, named, cache: flags.cache }, setup)
  if (flags.json === true) return printJson(replaysJson(source, replays))
  for (const line of replayLines({ ...source, guess }, replays, screenWidth())) print(line)
}

/** The choices of the user. */
type PlayedWith = {
  readonly model: Partial<ModelInfo>
  readonly named: readonly NamedPolicy[]
  readonly cache?: ReplayFlags['cache']
}

async function play(
  { session }: SessionSource,
  { model, named, cache }: PlayedWith,
  setup: Setup,
): Promise<SessionReplays> {
  const { entries } = session
  const measured = measureLog(entries, model, { system: session.system.join('\n\n') })
  const input = { model, measured, cacheLifetimeMs: cache && CACHE_LIFETIMES[cache] }
  const policies: PolicyReplay[] = []
  for (const { name, policy, summaryModel: wanted } of named) {
    const summaryModel = summaryModelOf(wanted, model, setup)
    policies.push({ name, replay: await replay(entries, { ...input, policy, summaryModel }) })
  }
  const base = named.find(({ name }) => name.startsWith('pith'))?.policy ?? {}
  const triggers = model.contextWindow === undefined ? [] : await tryTriggers(entries, { ...input, policy: base })
  const spent = spendingOf(
    entries,
    (name) => (name === undefined ? model : modelNamed(setup.models.registry, name)).prices,
    measured.estimator,
  )
  const recorded = spent.length === 0 ? undefined : replayRecorded(entries, input)
  const { fixedTokens, cacheLifetimeMs } = measured
  return {
    model,
    policies,
    triggers,
    spent,
    recorded,
    fixedTokens,
    cacheLifetimeMs: input.cacheLifetimeMs ?? cacheLifetimeMs,
  }
}

/** The model that writes the summaries of a policy: the session's own, the cheaper one of its provider, or a named one. */
function summaryModelOf(wanted: string, main: Partial<ModelInfo>, setup: Setup): Partial<ModelInfo> {
  if (wanted === 'main') return main
  if (wanted !== 'standard' && wanted !== 'cheap') return modelNamed(setup.models.registry, wanted)
  const { provider, model } = main
  if (provider === undefined || model === undefined) return main
  return summaryModels(setup.models.registry, { ...main, provider, model }, () => true)[0] ?? main
}

function replaysJson(
  { name, session }: SessionSource,
  { model, policies, triggers, spent, recorded, cacheLifetimeMs }: SessionReplays,
): object {
  return {
    source: name,
    agent: session.agent,
    model,
    cacheLifetimeMs,
    recorded: spent,
    ...(recorded === undefined ? {} : { asRecorded: { totals: replayTotals(recorded), ...recorded } }),
    policies: policies.map(({ name, replay }) => ({ name, totals: replayTotals(replay), ...replay })),
    triggers: triggers.map(({ triggerPercent, replay: { cost, trigger, ...replay } }) => ({
      triggerPercent,
      trigger,
      cost,
      totals: replayTotals(replay),
    })),
  }
}

/** A policy under the name that the user gave it, and the model that it wants for summaries. */
type NamedPolicy = { readonly name: string; readonly policy: PolicyPatch; readonly summaryModel: string }

const NAMES = [...presetSchema.options, 'none']

/** The policies of a list such as `pith,koda,pith@40,none`. The configured settings belong to the configured preset only. */
function namedPolicies(list: string, configured: PolicyPatch): NamedPolicy[] {
  const names = [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  if (names.length === 0) throw new UsageError('bad-argument', '--policy: name at least one policy, such as pith')
  return names.map((name) => {
    const policy = policyNamed(name, configured)
    return { name, policy, summaryModel: policyOf(policy).summaryModel }
  })
}

function policyNamed(name: string, configured: PolicyPatch): PolicyPatch {
  const [preset = '', trigger] = name.split('@', 2)
  if (preset === 'none') return { mode: 'off', suggestPercent: 0 }
  const known = presetSchema.safeParse(preset)
  if (!known.success) {
    const meant = nearest(preset, NAMES)
    const hint = meant === undefined ? `write one of ${NAMES.join(', ')}` : `did you mean ${meant}?`
    throw new UsageError('bad-policy', `--policy: there is no policy ${preset}, ${hint}`)
  }
  const own = (configured.preset ?? 'pith') === preset ? configured : { preset: known.data }
  if (trigger === undefined) return own
  const triggerPercent = Number(trigger)
  if (!(triggerPercent > 0 && triggerPercent <= 100))
    throw new UsageError(
      'bad-policy',
      `--policy ${name}: the trigger is a percentage of the window, such as ${preset}@40`,
    )
  return { ...own, mode: 'auto', triggerPercent }
}

/** One policy and its replay. */
type PolicyReplay = { readonly name: string; readonly replay: Replay }

/** All replays of one session. */
type SessionReplays = {
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
function replayLines(source: SessionSource, replays: SessionReplays, width: number): string[] {
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
    ...chainLines(replays),
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
  const { contextWindow, windowAssumed } = model
  const facts = [
    `${modelLabel(model)}, ${contextWindow === undefined ? 'window not known (set it with --window TOKENS)' : `window ${windowText({ window: contextWindow, assumed: windowAssumed })}`}`,
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

/** How many of the compactions came between two steps of one piece of work. */
function chainLines({ policies }: SessionReplays): string[] {
  return policies.flatMap(({ name, replay }) => {
    const { compactions, masks, insideChain } = replayTotals(replay)
    const cuts = compactions + masks
    return cuts === 0
      ? []
      : [tinted(`  ${name}: ${insideChain} of ${counted(cuts, 'compaction')} inside a chain of calls`, 'dim')]
  })
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

function triggerLines({ triggers, model }: SessionReplays, width: number): string[] {
  if (triggers.every(({ replay }) => replay.cost === undefined)) return []
  const best = cheapest(triggers)
  const most = Math.max(...triggers.map(({ replay }) => replay.cost ?? 0))
  const lowest = lowestMeasured(model.contextWindow)
  const remark = (tried: TriedTrigger) => {
    if (tried === best) return 'cheapest'
    if (replayTotals(tried.replay).overflowsAt !== undefined) return 'does not fit'
    return (tried.replay.trigger ?? 0) < lowest ? TOO_LOW : ''
  }
  const rows = triggers.map((tried) => [
    `  ${tried.triggerPercent}%`,
    short(tried.replay.trigger ?? 0),
    ifKnown(tried.replay.cost, dollars),
    tinted(bar((tried.replay.cost ?? 0) / most, Math.max(8, width - 40)), tried === best ? 'green' : 'blue'),
    remark(tried),
  ])
  return [
    '',
    tinted('Cost by trigger of the default policy', 'bold'),
    ...columns(rows, ['right', 'right', 'right']),
    ...(triggers.some((tried) => remark(tried) === TOO_LOW)
      ? [tinted(`  ${TOO_LOW}: nobody measured what is kept below ${count(lowest)} tokens`, 'dim')]
      : []),
    ...(best === undefined ? [] : adviceLines(best, triggers)),
  ]
}

const TOO_LOW = 'too low'

function adviceLines(
  { triggerPercent, replay: { cost = 0, trigger = 0 } }: TriedTrigger,
  triggers: readonly TriedTrigger[],
): string[] {
  const found = `Cheapest for this session: ${triggerPercent}% (${count(trigger)} tokens), ${dollars(cost)}`
  const usual = triggers.find((tried) => tried.triggerPercent === 80)?.replay.cost
  if (usual === undefined || usual <= cost) return ['', found]
  // As tokens: the same percentage of another model's window may be very little.
  const setting = `pith config set policy.token_limit ${trigger}`
  return ['', `${found}, ${percentOf(usual - cost, usual, 0)} less than at 80%`, tinted(`  ${setting}`, 'dim')]
}
