import type { PolicyPatch } from '../../../model/policy/policy.ts'
import { presetSchema } from '../../../model/policy/policy-schema.ts'
import { policyOf } from '../../../model/policy/presets.ts'
import { nearest } from '../../../model/problems/problem-text.ts'
import type { ModelInfo } from '../../../model/types.ts'
import { modelNamed } from '../../../models/registry.ts'
import { summaryModels } from '../../../models/summary-models.ts'
import { spendingOf } from '../../../study/inspect/inspect-log.ts'
import { CACHE_LIFETIMES, measureLog } from '../../../study/replay/measured-log.ts'
import { replayRecorded, tryTriggers } from '../../../study/replay/recorded-replay.ts'
import { replay, replayTotals } from '../../../study/replay/replay.ts'
import { print, printJson } from '../../output/show.ts'
import { screenWidth } from '../../output/terminal-text.ts'
import { UsageError } from '../../process/usage-error.ts'
import { measuredModel } from '../../sessions/measured-model.ts'
import { openSource, type SessionSource } from '../../sessions/session-source.ts'
import { loadSetup, type Setup } from '../../setup/setup.ts'
import type { ReplayFlags } from './replay.ts'
import { type PolicyReplay, replayLines, type SessionReplays } from './replay-lines.ts'

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
