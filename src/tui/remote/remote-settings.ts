import { listModelsRoute } from '../../contract/routes/context-routes.ts'
import { changeSessionRoute } from '../../contract/routes/session-routes.ts'
import type { WireContext } from '../../contract/shapes/shapes.ts'
import { refusal } from '../port/change-result.ts'
import type { SettingsPort } from '../port/port.ts'
import type { PolicyReport, PortEvent } from '../port/port-data.ts'
import { settingText, settingValue } from '../port/setting-value.ts'
import type { RemoteClient } from './remote-client.ts'
import type { RemoteSessions } from './remote-sessions.ts'

/** The settings of the open session on a server. */
export function remoteSettings(
  client: RemoteClient,
  sessions: RemoteSessions,
  emit: (event: PortEvent) => void,
): SettingsPort {
  return {
    models: async () => {
      const { models } = await client.ask(listModelsRoute, {})
      return models.map(({ name, context_window: window, usable, why }) => ({ name, usable, window, why }))
    },
    setModel: async (name) => {
      const result = await sessions.change(changeSessionRoute, { body: { model: name } })
      if (!result.ok) return result
      const { model = name, no_model: noModel } = await sessions.current.detail()
      emit({ type: 'model', model, noModel })
      return noModel === undefined ? { ok: true, text: `The model is ${model} now.` } : refusal(noModel)
    },
    setKey: async () => refusal('The server has its own keys'),
    think: async () => refusal('How much models think is set on the server: `reasoning` in its configuration'),
    permissions: async () => refusal(PERMISSIONS_ELSEWHERE),
    rules: async () => [],
    removeRule: async () => refusal(PERMISSIONS_ELSEWHERE),
    policy: async () => policyReportOf((await sessions.current.context()).policy),
    setPolicy: async (key, value, scope) => {
      if (scope === 'user')
        return refusal('The server has its own configuration: you can change settings of this session only')
      const result = await sessions.change(changeSessionRoute, { body: { policy: { [key]: settingValue(value) } } })
      return result.ok ? { ok: true, text: `${key} is ${value} in this session.` } : result
    },
  }
}

const PERMISSIONS_ELSEWHERE = 'Permissions of tools are set on the server: server.workspaces'

/** The policy of the session, as the server has it. */
export function policyReportOf({ preset, ...values }: WireContext['policy']): PolicyReport {
  return {
    preset,
    values: Object.entries(values).map(([key, value]) => ({ key, value: settingText(value), source: 'server' })),
  }
}
