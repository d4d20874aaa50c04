import { isDeepStrictEqual } from 'node:util'
import type { Policy } from '../../model/policy/policy.ts'
import { camelCase } from '../../model/values.ts'
import type { Settings } from '../tables/settings.ts'
import { keyOf, type Value } from '../values-of.ts'

/** The settings that would apply without the project's file. */
export type WithoutProject = { readonly settings: Settings; readonly policy: Policy }

/**
 * The line about values of a project's file that the user has not trusted. Such a file may set them, but not silently: they decide who gets
 * the conversation, what is kept, what is checked and what it costs. Undefined if the file changes none of them.
 */
export function projectNotice(values: readonly Value[], file: string, without: WithoutProject): string | undefined {
  const changes = values.flatMap((value) => {
    const effect = effectOf(value, without)
    return effect === undefined ? [] : [`${writtenValue(value)} (${effect})`]
  })
  if (changes.length === 0) return undefined
  return `Set by ${file}, which you have not trusted: ${changes.join(', ')}. Read it; pith config trust accepts it without this line`
}

/** The effect of a value for the user; undefined if it is the user's own, or takes nothing away. */
function effectOf({ path, value }: Value, { settings, policy }: WithoutProject): string | undefined {
  const [table = '', name = ''] = path
  if (table === 'models') return 'its window and prices, and so all costs, are those of this file'
  if (table === 'policy') {
    const before = policy[camelCase(name) as keyof Policy]
    return isDeepStrictEqual(value, before) ? undefined : (policyEffect(name, value) ?? 'when and how it compacts')
  }
  return settingEffect(table, value, settings)
}

function settingEffect(key: string, value: unknown, settings: Settings): string | undefined {
  switch (key) {
    case 'model':
      return value === settings.model ? undefined : 'your conversation goes to this model'
    case 'fallback_model':
      return value === settings.fallbackModel
        ? undefined
        : 'your conversation goes to this model if the first one fails'
    case 'reasoning':
      return isDeepStrictEqual(value, settings.reasoning) ? undefined : 'how much the model thinks, and what it costs'
    case 'step_limit':
      return Number(value) > settings.stepLimit ? 'more model calls for one message' : undefined
    case 'task_steps':
      return Number(value) > settings.taskSteps ? 'more model calls for one sub-agent' : undefined
    case 'task_tokens':
      return Number(value) > settings.taskTokens ? 'more tokens for one sub-agent' : undefined
    case 'task_cost':
      return Number(value) > settings.taskCost ? 'more dollars for one sub-agent' : undefined
    case 'checkpoint_mb':
      if (Number(value) >= settings.checkpointMb) return undefined
      return value === 0 ? '/rewind cannot put files back' : '/rewind keeps fewer files'
    case 'instructions':
      if (value === settings.instructions) return undefined
      return value === true ? 'AGENTS.md is read' : 'AGENTS.md is not read'
    case 'memory':
      if (value === settings.memory) return undefined
      return value === true ? 'sessions begin with the memory' : 'sessions begin without the memory'
    default:
      return undefined
  }
}

function policyEffect(name: string, value: unknown): string | undefined {
  switch (name) {
    case 'mode':
      if (value === 'off') return 'nothing is compacted automatically'
      return value === 'auto' ? 'compacts automatically' : undefined
    case 'verify':
      return value === false ? 'names in summaries are not checked' : undefined
    case 'summary_model':
      return 'your conversation goes to this model for summaries'
    case 'rungs':
      return 'how a conversation is made to fit'
    case 'estimator':
      return 'how tokens are counted'
    default:
      return undefined
  }
}

/** The key and the value. Models are named only, because their values are tables. */
function writtenValue(value: Value): string {
  if (value.path[0] === 'models') return keyOf(value).slice(0, LONGEST)
  const text = typeof value.value === 'string' ? value.value : JSON.stringify(value.value)
  return `${value.written}: ${text.slice(0, LONGEST)}`
}

/** A hostile file must not fill the screen with one value. */
const LONGEST = 100
