import type { Agent } from '../../agent/agent.ts'
import type { Config } from '../../config/index.ts'
import { snakeCase } from '../../model/case.ts'
import { sessionSettings } from '../../session/session-settings.ts'
import type { PolicyReport } from '../port-data.ts'

/** The effective policy, and where each value comes from. */
export function policyReport(config: Config, agent: Agent): PolicyReport {
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
      return { key: name, value: valueText(value), source: sourceOf(key, name) }
    }),
  }
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}
