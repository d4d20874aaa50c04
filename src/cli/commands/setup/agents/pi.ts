import { join } from 'node:path'
import { jsonItem } from '../forms/json-forms.ts'
import type { SetupAgent } from '../setup-agent.ts'

/** pi loads extensions by their paths. Seen on 0.87.1. */
export const piSetup: SetupAgent = {
  name: 'pi',
  title: 'pi',
  settings: ({ env, home, packageFile }) => {
    const file = join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'settings.json')
    const isOurs = (item: unknown) =>
      typeof item === 'string' && /[/\\](?:dist|src)[/\\]plugins[/\\]pi[/\\]index\.[jt]s$/.test(item)
    return [{ what: 'extension', file, form: jsonItem(['extensions'], packageFile('plugins/pi/index'), isOurs) }]
  },
}
