import type { Agent } from '../../agent/agent.ts'
import { switchModel } from '../../agent/compaction/switch-model.ts'
import { PERMISSION_MODES, type Rules, ruleText } from '../../agent/permissions/rule.ts'
import type { Config } from '../../config/index.ts'
import { userFile } from '../../config/read/load-config.ts'
import { type ModelUsability, usableModels } from '../../llm/choose-model.ts'
import { findLocalServers } from '../../llm/local-servers.ts'
import { parsePolicyConfig } from '../../model/policy/policy.ts'
import { type ReasoningChoice, type ReasoningLevel, reasoningChoiceSchema } from '../../model/policy/policy-schema.ts'
import { checkPolicy } from '../../model/policy/presets.ts'
import { snakeCase } from '../../model/values.ts'
import { sessionSettings } from '../../session/open-session.ts'
import type { ChangeResult, ModelRow, PolicyReport, PortEvent, RuleRow, SettingsPort } from '../port/port.ts'
import { DONE, refusal, settingText, settingValue } from '../port/shared.ts'
import { modelFor, permissionsText } from './local-session.ts'
import type { LocalSessions, LocalSetup } from './local-sessions.ts'

/** The settings of the open session on this machine. */
export function localSettings(
  setup: LocalSetup,
  sessions: LocalSessions,
  emit: (event: PortEvent) => void,
): SettingsPort {
  return {
    models: () => modelRows(setup),
    setModel: async (name) => {
      const { model, why, needsKey } = await modelFor(setup, name)
      if (why !== undefined) return { ...refusal(why), needsKey }
      const switched = await switchModel(sessions.current.agent, model, new AbortController().signal)
      if (!switched.ok) return refusal(switched.reason)
      sessions.current.noModel = undefined
      emit({ type: 'model', model: model.name })
      emit({ type: 'thinking', level: sessions.current.agent.reasoning })
      return { ok: true, text: modelText(model.name, setup.config.settings.model) }
    },
    setKey: async (provider, key) => {
      setup.addKey(provider, key)
      const file = userFile(setup.env)
      return { ok: true, text: `The key for ${provider} is in ${file}, which only you can read.` }
    },
    permissions: async (wanted) => {
      const mode = PERMISSION_MODES.find((known) => known === wanted)
      if (mode === undefined) return refusal(`${wanted} is not a mode: ${PERMISSION_MODES.join(', ')}`)
      const { agent, gate } = sessions.current
      gate.mode = mode
      emit({ type: 'permissions', mode: permissionsText(mode, agent) })
      return agent.isPlanning ? { ok: true, text: `The mode is ${mode} after plan mode.` } : DONE
    },
    plan: async (on) => {
      const { live, isPlanning } = sessions.current.agent
      if (isPlanning === on) return { ok: true, text: on ? 'Plan mode is on already.' : 'Plan mode is not on.' }
      await sessions.emitChanges(await live.append([{ type: 'settings', planning: on }]))
      return DONE
    },
    rules: async () => ruleRows(await sessions.current.gate.rules()),
    removeRule: async ({ answer, rule }) => {
      const { gate } = sessions.current
      const found = (await gate.rules())[answer].find((each) => ruleText(each) === rule)
      if (found === undefined) return refusal(`There is no rule ${answer} ${rule}`)
      await gate.remove(answer, found)
      return { ok: true, text: `Removed: ${answer} ${rule}` }
    },
    think: async (wanted) => {
      const { agent } = sessions.current
      const level = wanted === 'next' ? nextLevel(agent.reasoning) : LEVELS.find((known) => known === wanted)
      if (level === undefined) return refusal(`${wanted} is not a level: ${LEVELS.join(', ')}`)
      const { name } = agent.model
      await agent.live.append([{ type: 'settings', reasoning: { model: name, level } }])
      emit({ type: 'thinking', level: agent.reasoning })
      return { ok: true, text: thinkText(name, level) }
    },
    policy: async () => policyReport(setup.config, sessions.current.agent),
    setPolicy: async (key, value) => {
      const result = await setPolicyValue(sessions.current.agent, key, value)
      emit(sessions.status())
      return result
    },
  }
}

function ruleRows({ always, never }: Rules): RuleRow[] {
  return [
    ...never.map((rule): RuleRow => ({ answer: 'never', rule: ruleText(rule) })),
    ...always.map((rule): RuleRow => ({ answer: 'always', rule: ruleText(rule) })),
  ]
}

const LEVELS = reasoningChoiceSchema.options

function nextLevel(now: ReasoningLevel | undefined): ReasoningChoice | undefined {
  return LEVELS[(LEVELS.indexOf(now ?? 'auto') + 1) % LEVELS.length]
}

function modelText(name: string, configured: string | undefined): string {
  if (name === configured) return `The model is ${name} now.`
  return `The model is ${name} in this session; for new ones: pith config set model ${name}`
}

function thinkText(model: string, level: ReasoningChoice): string {
  if (level === 'auto') return `In this session ${model} thinks as much as its provider’s default says.`
  const how = level === 'off' ? 'answers without thinking' : `thinks at level ${level}`
  return `In this session ${model} ${how}, if it can; for new ones: pith config set reasoning ${level}`
}

/** Sets a value of the policy. A wrong value is refused before anything is changed. */
async function setPolicyValue(agent: Agent, key: string, value: string): Promise<ChangeResult> {
  const patch = parsePolicyConfig({ [key]: settingValue(value) }, '/policy')
  checkPolicy({ ...agent.policyPatch, ...patch })
  await agent.live.append([{ type: 'settings', policy: patch }])
  return { ok: true, text: `${key} is ${value} in this session.` }
}

/** The effective policy and the source of each value. */
function policyReport(config: Config, agent: Agent): PolicyReport {
  const own = sessionSettings(agent.live.log).policy
  const fromConfig = new Map(
    config.effective().flatMap(({ key, source }) => (key.startsWith('policy.') ? [[key.slice(7), source]] : [])),
  )
  const { policy } = agent
  const sourceOf = (key: string, name: string): string => {
    if (key in own) return 'this session'
    if (own.preset !== undefined) return `preset ${own.preset}`
    return fromConfig.get(name) ?? 'default'
  }
  return {
    preset: policy.preset,
    values: Object.entries(policy).map(([key, value]) => {
      const name = snakeCase(key)
      return { key: name, value: settingText(value), source: sourceOf(key, name) }
    }),
  }
}

// A closed port refuses immediately. Only a server that hangs takes this long.
const LOCAL_TIMEOUT_MS = 2_000

/** All known models, the usable ones first. */
async function modelRows({ models, config }: LocalSetup): Promise<ModelRow[]> {
  const { providers } = config.settings
  const local = await findLocalServers({ providers, timeoutMs: LOCAL_TIMEOUT_MS })
  const uses = usableModels({ ...models, local }).models
  return uses.map(rowOf).toSorted((a, b) => Number(b.usable) - Number(a.usable))
}

function rowOf(use: ModelUsability): ModelRow {
  const { contextWindow: window, prices } = use.info
  const why = use.usable ? undefined : use.why
  return { name: use.name, window, inputPrice: prices?.input, outputPrice: prices?.output, usable: use.usable, why }
}
